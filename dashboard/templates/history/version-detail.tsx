import { useSignal } from '@preact/signals';
import type { Template, TemplateVersion } from '@trifold/client';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatNumber } from '../../components/format.ts';
import { Loading } from '../../components/loading.tsx';
import { Switch } from '../../components/switch.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { useResource } from '../../loading/resource.ts';
import { VersionActions } from './version-actions.tsx';
import { VersionChanges } from './version-changes.tsx';
import { VersionPreview } from './version-preview.tsx';

interface VersionDetailProps {
  /** The template as it is. */
  readonly template: Template;
  readonly version: number;
  /** Versions of the list that are loaded, newest first. */
  readonly entries: readonly TemplateVersion[];
  readonly onRestore: (restored: Template) => void;
  readonly onPublish: (published: Template) => void;
}

type View = 'preview' | 'changes';

/** One version: how it prints, and what differs from another. */
export function VersionDetail({ template, version, entries, onRestore, onPublish }: VersionDetailProps) {
  const { client, allows } = useSession();
  const chosen = useSignal<View>(allows('templates:write') ? 'preview' : 'changes');
  const { value, error, reload } = useResource(
    async (signal) => client.templates.versions.get(template.id, version, { signal }),
    [template.id, version],
  );
  const shown = value.value;
  if (!shown) return error.value ? <ErrorNotice error={error.value} onRetry={reload} /> : <Loading />;
  const mayWrite = allows('templates:write');
  const views = [
    // A preview needs the same scope as a change.
    ...(mayWrite ? [{ value: 'preview', label: messages.preview } as const] : []),
    { value: 'changes', label: messages.changed } as const,
  ];
  return (
    <section class="version stack" aria-label={messages.version(formatNumber(version))}>
      <div class="row spread">
        <Switch
          label={messages.view}
          choices={views}
          value={chosen.value}
          onChange={(view) => void (chosen.value = view)}
        />
        {mayWrite && (
          <VersionActions template={template} version={version} onRestore={onRestore} onPublish={onPublish} />
        )}
      </div>
      {chosen.value === 'preview' ? (
        <VersionPreview id={template.id} version={value} />
      ) : (
        <VersionChanges template={template} shown={shown} entries={entries} />
      )}
    </section>
  );
}
