import { useSignal } from '@preact/signals';
import { CodeBlock } from '../../components/content/code-block.tsx';
import { Field, Options } from '../../components/controls/field.tsx';
import { formatNumber } from '../../components/format.ts';
import { Dialog } from '../../components/notices/dialog.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { CodeTabs } from '../../snippets/code-tabs.tsx';
import { EXPORT_KEY } from '../../snippets/snippets.ts';
import { liveVersion, type VersionName } from '../live-version.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

/** File name used in the code for a call. */
const FILE_NAME = 'document';

/** Props of an editor dialog. */
export interface EditedDialogProps {
  readonly edited: EditedTemplate;
  readonly onClose: () => void;
}

/** Code that generates a document from this template with the editor's sample data. */
export function ApiCallDialog({ edited, onClose }: EditedDialogProps) {
  const pinned = useSignal<number | undefined>(undefined);
  const { version: saved, published_version: published } = edited.saved.value;
  const live = liveVersion(edited.saved.value);
  const nameOf = (version: number): VersionName => (version === published ? 'published' : 'saved');
  const { value: version = live.version } = pinned;
  const body = {
    template_id: edited.id,
    ...(pinned.value !== undefined && { version: pinned.value }),
    data: edited.validData(),
  };
  return (
    <Dialog title={messages.apiCall} onClose={onClose}>
      <Field label={messages.apiCallVersion}>
        <select
          value={pinned.value ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void (pinned.value = value === '' ? undefined : Number(value))
          }
        >
          <option value="">{messages.apiCallUnpinned(formatNumber(live.version), live.name)}</option>
          <Options
            of={Array.from(
              new Set([live.version, saved]),
              (each) => [each, messages.apiCallPinned(formatNumber(each), nameOf(each))] as const,
            )}
          />
        </select>
      </Field>
      <p>
        {messages.apiCallText(formatNumber(version), nameOf(version))}
        {edited.isChanged.value && ` ${messages.apiCallDraft}`} {messages.apiCallKey}
      </p>
      <CodeBlock code={EXPORT_KEY} label={messages.exportKey} />
      <CodeTabs label={messages.apiCall} call={{ url: location.origin, body, name: FILE_NAME }} />
    </Dialog>
  );
}
