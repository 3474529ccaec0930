import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import type { Template, TemplateVersion } from '@trifold/client';
import { Field, Options } from '../../components/controls/field.tsx';
import { Switch } from '../../components/controls/switch.tsx';
import { formatNumber } from '../../components/format.ts';
import { ConfirmButton } from '../../components/notices/dialog.tsx';
import { Loaded } from '../../components/notices/loading.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useResource } from '../../loading/resource.ts';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { PreviewPane } from '../preview/preview-pane.tsx';
import type { SavedPreview } from '../preview/use-preview.ts';
import { VersionChanges } from './version-changes.tsx';
import styles from './history-page.module.css';

interface VersionActionsProps {
  /** The current template. */
  readonly template: Template;
  readonly version: number;
  readonly onRestore: (restored: Template) => void;
  readonly onPublish: (published: Template) => void;
}

interface VersionDetailProps extends VersionActionsProps {
  /** Loaded versions of the list, newest first. */
  readonly entries: readonly TemplateVersion[];
}

/** One version: its preview, and its differences from another. */
export function VersionDetail({ entries, ...props }: VersionDetailProps) {
  const { client, allows } = useSession();
  const { template, version } = props;
  const chosen = useSignal<keyof typeof messages.views>('preview');
  const loaded = useResource(
    async (signal) => client.templates.versions.get(template.id, version, { signal }),
    [template.id, version],
  );
  return (
    <Loaded resource={loaded}>
      {(shown) => (
        <section class="stack" aria-label={messages.version(formatNumber(version))}>
          <div class="row spread">
            <Switch
              label={messages.view}
              choices={messages.views}
              value={chosen.value}
              onChange={(view) => void (chosen.value = view)}
            />
            {allows('templates:write') && <VersionActions {...props} />}
          </div>
          {chosen.value === 'preview' ? (
            <VersionPreview id={template.id} version={loaded.value} />
          ) : (
            <VersionChanges template={template} shown={shown} entries={entries} />
          )}
        </section>
      )}
    </Loaded>
  );
}

interface VersionPreviewProps {
  /** Template that the version belongs to. */
  readonly id: string;
  readonly version: ReadonlySignal<Template | undefined>;
}

/** A version printed with the template's sample data. The pages of another version replace it in place. */
function VersionPreview({ id, version }: VersionPreviewProps) {
  const { client } = useSession();
  const chosen = useSignal(0);
  const { value, error, reload } = useResource(
    async (signal) => client.templates.samples(id, { signal }),
    [id],
  );
  const request = useComputed((): SavedPreview | undefined => {
    const [samples, saved] = [value.value, version.value];
    return samples && saved && { saved, data: samples[chosen.value]?.data ?? {} };
  });
  const samples = value.value ?? [];
  return (
    <>
      <ErrorNotice error={error.value} onRetry={reload} />
      {value.value && samples.length === 0 && <p class="small muted">{messages.noSamples}</p>}
      {samples.length > 1 && (
        <Field label={messages.sample}>
          <select onChange={(event) => void (chosen.value = event.currentTarget.selectedIndex)}>
            <Options of={samples.map(({ name }) => [name, name] as const)} />
          </select>
        </Field>
      )}
      <div class={styles.preview}>
        <PreviewPane request={request} />
      </div>
    </>
  );
}

/** Publishes and restores a version. Both ask for confirmation. */
function VersionActions({ template, version, onRestore, onPublish }: VersionActionsProps) {
  const { client } = useSession();
  const number = formatNumber(version);
  const restore = async () => {
    const restored = await client.templates.versions.restore(template.id, version);
    onRestore(restored);
    return messages.restored(number, formatNumber(restored.version));
  };
  const publish = async () => {
    onPublish(await client.templates.publish(template.id, version));
    return messages.isPublished(number);
  };
  return (
    <div class="row">
      {version !== template.published_version && (
        <ConfirmButton
          label={messages.publish}
          title={messages.publishTitle(number)}
          isHarmless
          onConfirm={publish}
        >
          <p>{messages.publishText(number)}</p>
        </ConfirmButton>
      )}
      {version !== template.version && (
        <ConfirmButton
          label={messages.restore}
          title={messages.restoreTitle(number)}
          isHarmless
          onConfirm={restore}
        >
          <p>{messages.restoreText(number, formatNumber(template.version + 1))}</p>
        </ConfirmButton>
      )}
    </div>
  );
}
