import { useComputed, useSignal, type ReadonlySignal } from '@preact/signals';
import type { PreviewRequest, Template } from '@trifold/client';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field } from '../../components/field.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { useResource } from '../../loading/resource.ts';
import { PreviewPane } from '../preview/preview-pane.tsx';

interface VersionPreviewProps {
  /** Template that has the version. */
  readonly id: string;
  readonly version: ReadonlySignal<Template | undefined>;
}

/** A version printed with the sample data of the template. The pages of another version replace it in place. */
export function VersionPreview({ id, version }: VersionPreviewProps) {
  const { client } = useSession();
  const chosen = useSignal(0);
  const { value, error, reload } = useResource(
    async (signal) => client.templates.samples(id, { signal }),
    [id],
  );
  const request = useComputed((): PreviewRequest | undefined => {
    const samples = value.value;
    if (!samples || !version.value) return undefined;
    const { html, css, schema, default_options, email } = version.value;
    return { html, css, schema, default_options, email, data: samples[chosen.value]?.data ?? {} };
  });
  const samples = value.value ?? [];
  return (
    <>
      {error.value !== undefined && <ErrorNotice error={error.value} onRetry={reload} />}
      {value.value && samples.length === 0 && <p class="small muted">{messages.noSamples}</p>}
      {samples.length > 1 && (
        <Field label={messages.sample}>
          <select onChange={(event) => void (chosen.value = event.currentTarget.selectedIndex)}>
            {samples.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      )}
      <div class="version-preview">
        <PreviewPane request={request} onResult={() => undefined} />
      </div>
    </>
  );
}
