import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { TemplateSample } from '@trifold/client';
import { Button } from '../../../components/controls/button.tsx';
import { Field } from '../../../components/controls/field.tsx';
import { ConfirmButton, Dialog, DialogActions } from '../../../components/notices/dialog.tsx';
import { ErrorNotice } from '../../../components/notices/notice.tsx';
import { showToast } from '../../../components/notices/toasts.tsx';
import { useAction, type Perform } from '../../../loading/action.ts';
import { editor as messages } from '../../../messages/template-editor.ts';
import { text } from '../../../messages/text.ts';
import { formatJson, parseObject } from '../../json-text.ts';
import type { EditedTemplate, PanelProps } from '../draft/edited-template.ts';
import { FromTemplateButton } from './data-buttons.tsx';
import { sampleFromSchema } from './sample-from-schema.ts';

/** Why the bar asks for a sample name. */
type Asked = 'save' | 'rename';

/** The template's named samples: select, save, rename, delete; or generate data from the template or its schema. */
export function SamplesBar({ edited, readOnly }: PanelProps) {
  const asked = useSignal<Asked | undefined>(undefined);
  const list = edited.samples.value;
  const chosen = list.find(({ name }) => name === edited.sample.value);
  const close = () => void (asked.value = undefined);
  const remove = async (removed: string) => {
    await edited.saveSamples((samples) => samples.filter(({ name }) => name !== removed));
    return messages.sampleDeleted(removed);
  };
  return (
    <>
      <div class="row">
        <SampleSelect edited={edited} samples={list} chosen={chosen} />
        {!readOnly && <FromTemplateButton edited={edited} />}
        <Button onClick={() => generate(edited)}>{messages.generateData}</Button>
        {!readOnly && (
          <Button disabled={isInvalid(edited.data)} onClick={() => void (asked.value = 'save')}>
            {messages.saveSample}
          </Button>
        )}
        {!readOnly && chosen && (
          <>
            <Button aria-label={messages.renameSample} onClick={() => void (asked.value = 'rename')}>
              {messages.rename}
            </Button>
            <ConfirmButton
              label={text.common.delete}
              aria-label={messages.deleteSample}
              title={messages.deleteSampleTitle(chosen.name)}
              onConfirm={async () => remove(chosen.name)}
            >
              <p>{messages.deleteSampleText}</p>
            </ConfirmButton>
          </>
        )}
      </div>
      {asked.value === 'save' && <SaveSampleDialog edited={edited} onClose={close} />}
      {asked.value === 'rename' && <RenameSampleDialog edited={edited} onClose={close} />}
    </>
  );
}

interface SampleSelectProps {
  readonly edited: EditedTemplate;
  readonly samples: readonly TemplateSample[];
  /** The sample that the editor shows. */
  readonly chosen: TemplateSample | undefined;
}

function SampleSelect({ edited, samples, chosen }: SampleSelectProps) {
  if (samples.length === 0) return null;
  return (
    <select
      aria-label={messages.sample}
      value={chosen?.name ?? ''}
      onChange={({ currentTarget }) => {
        const sample = samples.find(({ name }) => name === currentTarget.value);
        if (sample) edited.editData(formatJson(sample.data), sample.name);
      }}
    >
      {!chosen && <option value="">{messages.ownData}</option>}
      {samples.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function generate(edited: EditedTemplate): void {
  const schema = parseObject(edited.draft.value.schema);
  if ('problem' in schema) showToast(messages.schemaInvalid);
  else if (schema.value === null) showToast(messages.noSchema);
  else edited.showNewData(formatJson(sampleFromSchema(schema.value)));
}

function isInvalid(data: ReadonlySignal<string>): boolean {
  return 'problem' in parseObject(data.value);
}

const MAX_NAME_LENGTH = 200;

interface SampleDialogProps {
  readonly edited: EditedTemplate;
  readonly onClose: () => void;
}

/** Asks for the name to save sample data under. */
function SaveSampleDialog({ edited, onClose }: SampleDialogProps) {
  const save = async (name: string) => {
    await edited.saveSampleAs(name);
    onClose();
    return messages.sampleSaved(name);
  };
  const describe = (isThere: boolean) => ({
    hint: isThere ? messages.sampleReplaced : messages.sampleHint,
    confirm: isThere ? messages.replaceSample : text.common.save,
  });
  return (
    <SampleNameDialog
      title={messages.saveSample}
      samples={edited.samples.value}
      describe={describe}
      onName={save}
      onClose={onClose}
    />
  );
}

/** Asks for a new name for the sample. */
function RenameSampleDialog({ edited, onClose }: SampleDialogProps) {
  const before = edited.sample.value ?? '';
  const rename = async (name: string) => {
    await edited.renameSample(name);
    onClose();
    return messages.sampleRenamed(name);
  };
  const describe = (isThere: boolean) => ({
    error: isThere ? messages.sampleTaken : undefined,
    confirm: messages.rename,
  });
  return (
    <SampleNameDialog
      title={messages.renameSample}
      initial={before}
      samples={edited.samples.value.filter(({ name }) => name !== before)}
      describe={describe}
      onName={rename}
      onClose={onClose}
    />
  );
}

interface SampleNameDialogProps {
  readonly title: string;
  /** @default empty */
  readonly initial?: string;
  /** The template's other samples. */
  readonly samples: readonly TemplateSample[];
  /** Returns the dialog's strings. `isThere`: whether another sample has the name. An error prevents saving. */
  readonly describe: (isThere: boolean) => {
    readonly hint?: string;
    readonly error?: string | undefined;
    readonly confirm: string;
  };
  readonly onName: Perform<[name: string]>;
  readonly onClose: () => void;
}

function SampleNameDialog({
  title,
  initial = '',
  samples,
  describe,
  onName,
  onClose,
}: SampleNameDialogProps) {
  const name = useSignal(initial);
  const { run, running, error } = useAction(onName);
  const wanted = name.value.trim();
  const { confirm, ...texts } = describe(samples.some((sample) => sample.name === wanted));
  const submit = (event: Event) => {
    event.preventDefault();
    if (wanted !== '' && texts.error === undefined) run(wanted);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Field label={messages.sampleName} {...texts}>
          <input
            name="name"
            maxLength={MAX_NAME_LENGTH}
            autocomplete="off"
            autoFocus
            required
            value={name.value}
            onInput={({ currentTarget }) => void (name.value = currentTarget.value)}
          />
        </Field>
        {error.value !== undefined && <ErrorNotice error={error.value} />}
        <DialogActions>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" busy={running.value}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
