import type { Scope } from '@trifold/client';
import type { FunctionComponent } from 'preact';
import { lazy } from 'preact-iso';
import { Page } from '../components/content/page.tsx';
import { Notice } from '../components/notices/notice.tsx';
import { OUTAGE_MS, useReloadWhile } from '../loading/reload-while.ts';
import { text } from '../messages/text.ts';
import type { PathParameters } from './address.ts';

/** The pages, by path below /dashboard. Their code loads when they are first shown. */
export const PAGES: Readonly<Record<string, FunctionComponent<PathParameters>>> = {
  '': lazyPage(async () => (await import('../start/start-page.tsx')).StartPage),
  '/templates/new': lazyPage(async () => (await import('../templates/gallery/gallery-page.tsx')).GalleryPage),
  '/templates': lazyPage(async () => (await import('../templates/list/templates-page.tsx')).TemplatesPage),
  '/templates/:id': lazyPage(async () => {
    loadPdfEngine();
    return (await import('../templates/editor/editor-page.tsx')).EditorPage;
  }),
  '/templates/:id/history': lazyPage(async () => {
    loadPdfEngine();
    return (await import('../templates/history/history-page.tsx')).HistoryPage;
  }),
  '/documents': lazyPage(async () => (await import('../documents/documents-page.tsx')).DocumentsPage),
  '/documents/:id': lazyPage(async () => (await import('../documents/document-page.tsx')).DocumentPage),
  '/batches': lazyPage(async () => (await import('../documents/batches/batches-page.tsx')).BatchesPage),
  '/batches/:id': lazyPage(async () => (await import('../documents/batches/batch-page.tsx')).BatchPage),
  '/emails': lazyPage(async () => (await import('../emails/emails-page.tsx')).EmailsPage),
  '/emails/:id': lazyPage(async () => (await import('../emails/email-page.tsx')).EmailPage),
  '/webhooks': lazyPage(async () => (await import('../webhooks/webhooks-page.tsx')).WebhooksPage),
  '/webhooks/deliveries': lazyPage(
    async () => (await import('../webhooks/deliveries/deliveries-page.tsx')).DeliveriesPage,
  ),
  '/webhooks/deliveries/:id': lazyPage(
    async () => (await import('../webhooks/deliveries/delivery-page.tsx')).DeliveryPage,
  ),
  '/keys': lazyPage(async () => (await import('../keys/keys-page.tsx')).KeysPage),
  '/requests': lazyPage(async () => (await import('../requests/requests-page.tsx')).RequestsPage),
  '/usage': lazyPage(async () => (await import('../usage/usage-page.tsx')).UsagePage),
};

/** Scopes of pages that require a different scope from their section. */
export const PAGE_SCOPES: Readonly<Record<string, Scope>> = { '/templates/new': 'templates:write' };

/** Shown instead of a page whose required scope the session lacks. */
export function ForbiddenPage({ title, scope }: { readonly title: string; readonly scope: string }) {
  return (
    <Page title={title}>
      <Notice kind="warning">{text.errors.forbidden(scope)}</Notice>
    </Page>
  );
}

export function NotFoundPage() {
  return (
    <Page title={text.errors.notFound}>
      <p>
        <a href="/dashboard/">{text.errors.backToStart}</a>
      </p>
    </Page>
  );
}

/** Loads PDF.js in parallel with a preview page's code: both are large. A failure surfaces when the page needs it. */
export function loadPdfEngine(): void {
  void import('../templates/preview/pdf/pdf-engine.ts')
    .then(({ pdfEngine }) => pdfEngine())
    .catch(() => undefined);
}

function lazyPage(load: () => Promise<FunctionComponent<PathParameters>>): FunctionComponent<PathParameters> {
  return lazy<FunctionComponent<PathParameters>>(async () => load().catch(() => MissingPage));
}

/**
 * Shown instead of a page whose code did not load: the service is unavailable, or was upgraded and has different files.
 * Reloads everything when the service responds.
 */
function MissingPage() {
  useReloadWhile(true, reloadIfServed, OUTAGE_MS);
  return (
    <Page title={text.errors.page}>
      <Notice kind="danger">{text.errors.unreachable}</Notice>
    </Page>
  );
}

function reloadIfServed(): void {
  void fetch(location.href).then(
    ({ ok }) => ok && location.reload(),
    () => undefined,
  );
}
