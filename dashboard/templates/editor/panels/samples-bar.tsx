import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { TemplateSample } from '@trifold/client';
import { Button } from '../../../components/controls/button.tsx';
import { Field } from '../../../components/controls/field.tsx';
import { ConfirmButton, Dialog, DialogActions } from '../../../components/notices/dialog.tsx';
import { ErrorNotice } from '../../../components/notices/notice.tsx';
import { showToast } from '../../../components/notices/toasts.tsx';
import { useAction } from '../../../loading/action.ts';
import { editor as messages } from '../../../messages/template-editor.ts';
import { text } from '../../../messages/text.ts';
import { formatJson, parseObject } from '../../json-text.ts';
import type { EditedTemplate, PanelProps } from '../draft/edited-template.ts';
import { sampleFromSchema } from './sample-from-schema.ts';

/** The named samples of the template: choose, save, delete; and sample data that the schema describes. */
export function SamplesBar({ edited, readOnly }: PanelProps) {
  const isSaving = useSignal(false);
  const list = edited.samples.value;
  const chosen = list.find(({ name }) => name === edited.sample.value);
  const close = () => void (isSaving.value = false);
  const save = async (name: string) => {
    await edited.saveSampleAs(name);
    showToast(messages.sampleSaved(name));
    close();
  };
  const remove = async (removed: string) => {
    await edited.saveSamples((samples) => samples.filter(({ name }) => name !== removed));
    showToast(messages.sampleDeleted(removed));
  };
  return (
    <>
      <div class="row">
        <SampleSelect edited={edited} samples={list} chosen={chosen} />
        <Button onClick={() => generate(edited)}>{messages.generateData}</Button>
        {!readOnly && chosen && (
          <ConfirmButton
            label={messages.deleteSample}
            title={messages.deleteSampleTitle(chosen.name)}
            confirm={text.common.delete}
            onConfirm={async () => remove(chosen.name)}
          >
            <p>{messages.deleteSampleText}</p>
          </ConfirmButton>
        )}
        {!readOnly && (
          <Button disabled={isInvalid(edited.data)} onClick={() => void (isSaving.value = true)}>
            {messages.saveSample}
          </Button>
        )}
      </div>
      {isSaving.value && <SaveSampleDialog samples={list} onSave={save} onClose={close} />}
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

const LONGEST_NAME = 200;

interface SaveSampleDialogProps {
  /** Samples that the template has. */
  readonly samples: readonly TemplateSample[];
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name under which sample data is saved. */
function SaveSampleDialog({ samples, onSave, onClose }: SaveSampleDialogProps) {
  const name = useSignal('');
  const { run, running, error } = useAction(onSave);
  const wanted = name.value.trim();
  const isThere = samples.some((sample) => sample.name === wanted);
  const submit = (event: Event) => {
    event.preventDefault();
    if (wanted !== '') run(wanted);
  };
  return (
    <Dialog title={messages.saveSample} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Field label={messages.sampleName} hint={isThere ? messages.sampleReplaced : messages.sampleHint}>
          <input
            name="name"
            maxLength={LONGEST_NAME}
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
            {isThere ? messages.replaceSample : text.common.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
