import type { Scope } from '@trifold/client';
import type { FunctionComponent } from 'preact';
import { batches as messages } from '../messages/documents.ts';
import { text } from '../messages/text.ts';
import { allows } from '../session/session.ts';
import { lazyPage } from './lazy-page.tsx';

/** A part of the dashboard with an entry in the navigation. */
export interface Section {
  /** Path below /dashboard, without a slash at its end; empty for the start page. */
  readonly path: string;
  readonly label: string;
  /** Path of the section whose entry in the navigation stands for this one, too. */
  readonly partOf?: string;
  /** Scope without which the section is hidden. */
  readonly scope?: Scope;
  /** Pages by their path below the section's, for example `/:id`. They load when they are first shown. */
  readonly pages: Readonly<Record<string, FunctionComponent<PathParameters>>>;
}

/** Properties of a page that come from its address. */
export interface PathParameters {
  readonly id?: string;
}

const { navigation } = text;

export const SECTIONS: readonly Section[] = [
  {
    path: '',
    label: navigation.start,
    pages: { '': lazyPage(async () => (await import('../start/start-page.tsx')).StartPage) },
  },
  {
    path: '/templates',
    label: navigation.templates,
    scope: 'templates:read',
    pages: {
      '/new': lazyPage(async () => (await import('../templates/gallery/gallery-page.tsx')).GalleryPage),
      '': lazyPage(async () => (await import('../templates/list/templates-page.tsx')).TemplatesPage),
      '/:id': lazyPage(async () => (await import('../templates/editor/editor-page.tsx')).EditorPage),
      '/:id/history': lazyPage(
        async () => (await import('../templates/history/history-page.tsx')).HistoryPage,
      ),
    },
  },
  {
    path: '/documents',
    label: navigation.documents,
    scope: 'documents:generate',
    pages: {
      '': lazyPage(async () => (await import('../documents/documents-page.tsx')).DocumentsPage),
      '/:id': lazyPage(async () => (await import('../documents/document-page.tsx')).DocumentPage),
    },
  },
  {
    path: '/batches',
    label: messages.title,
    partOf: '/documents',
    scope: 'documents:generate',
    pages: {
      '': lazyPage(async () => (await import('../documents/batches/batches-page.tsx')).BatchesPage),
      '/:id': lazyPage(async () => (await import('../documents/batches/batch-page.tsx')).BatchPage),
    },
  },
  {
    path: '/emails',
    label: navigation.emails,
    scope: 'documents:generate',
    pages: {
      '': lazyPage(async () => (await import('../emails/emails-page.tsx')).EmailsPage),
      '/:id': lazyPage(async () => (await import('../emails/email-page.tsx')).EmailPage),
    },
  },
  {
    path: '/webhooks',
    label: navigation.webhooks,
    scope: 'webhooks:read',
    pages: {
      '': lazyPage(async () => (await import('../webhooks/webhooks-page.tsx')).WebhooksPage),
      '/deliveries': lazyPage(
        async () => (await import('../webhooks/deliveries/deliveries-page.tsx')).DeliveriesPage,
      ),
      '/deliveries/:id': lazyPage(
        async () => (await import('../webhooks/deliveries/delivery-page.tsx')).DeliveryPage,
      ),
    },
  },
  {
    path: '/keys',
    label: navigation.keys,
    scope: 'api-keys:read',
    pages: { '': lazyPage(async () => (await import('../keys/keys-page.tsx')).KeysPage) },
  },
  {
    path: '/usage',
    label: navigation.usage,
    scope: 'usage:read',
    pages: { '': lazyPage(async () => (await import('../usage/usage-page.tsx')).UsagePage) },
  },
];

/** Returns the sections that have an entry in the navigation and that the scopes of the session allow. */
export function navigationSections(): readonly Section[] {
  return SECTIONS.filter(
    ({ scope, partOf }) => partOf === undefined && (scope === undefined || allows(scope)),
  );
}
