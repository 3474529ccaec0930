import type { FunctionComponent } from 'preact';
import { lazy } from 'preact-iso';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { text } from '../messages/text.ts';
import { useReloadWhile } from './reload-while.ts';

/** Returns a page whose code loads when it is first shown. */
export function lazyPage<Properties>(
  load: () => Promise<FunctionComponent<Properties>>,
): FunctionComponent<Properties> {
  return lazy<FunctionComponent<Properties>>(async () => load().catch(() => MissingPage));
}

/**
 * Shown instead of a page whose code did not load: the service is away, or it was upgraded and has other files. Loads
 * everything again when the service answers.
 */
function MissingPage() {
  useReloadWhile(true, reloadIfServed);
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
