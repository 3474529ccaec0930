import { useSignal } from '@preact/signals';
import type { TemplateSample } from '@trifold/client';
import { Button } from '../../../components/controls/button.tsx';
import { Field, Options } from '../../../components/controls/field.tsx';
import { ConfirmButton } from '../../../components/notices/dialog.tsx';
import { FormDialog } from '../../../components/notices/form-dialog.tsx';
import { showToast } from '../../../components/notices/toasts.tsx';
import { useAction } from '../../../loading/action.ts';
import { editor as messages } from '../../../messages/template-editor.ts';
import { text } from '../../../messages/text.ts';
import { formatJson, parseObject } from '../../json-text.ts';
import type { EditedTemplate, PanelProps } from '../draft/edited-template.ts';
import { FromTemplateButton } from './data-buttons.tsx';
import { sampleFromSchema } from './sample-from-schema.ts';

/** Reason that the bar asks for a sample name. */
type Asked = 'save' | 'rename';

/** The template's named samples: select, save, rename, delete; or generate data from the template or its schema. */
export function SamplesBar({ edited, readOnly }: PanelProps) {
  const asked = useSignal<Asked | undefined>(undefined);
  const chosen = edited.samples.value.find(({ name }) => name === edited.sample.value);
  const close = () => void (asked.value = undefined);
  const remove = async (removed: string) => {
    await edited.saveSamples((samples) => samples.filter(({ name }) => name !== removed));
    return messages.sampleDeleted(removed);
  };
  return (
    <>
      <div class="row">
        <SampleSelect edited={edited} chosen={chosen} />
        {!readOnly && <FromTemplateButton edited={edited} />}
        <Button onClick={() => generate(edited)}>{messages.generateData}</Button>
        {!readOnly && (
          <Button
            disabled={'problem' in parseObject(edited.data.value)}
            onClick={() => void (asked.value = 'save')}
          >
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
      {asked.value && <SampleNameDialog edited={edited} asked={asked.value} onClose={close} />}
    </>
  );
}

interface SampleSelectProps {
  readonly edited: EditedTemplate;
  /** The sample that the editor shows. */
  readonly chosen: TemplateSample | undefined;
}

function SampleSelect({ edited, chosen }: SampleSelectProps) {
  const { value: samples } = edited.samples;
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
      <Options of={samples.map(({ name }) => [name, name] as const)} />
    </select>
  );
}

function generate(edited: EditedTemplate): void {
  const schema = parseObject(edited.draft.value.schema);
  if ('problem' in schema) showToast(messages.schemaInvalid);
  else if (schema.value === null) showToast(messages.noSchema);
  else edited.showNewData(formatJson(sampleFromSchema(schema.value)));
}

const MAX_NAME_LENGTH = 200;

interface SampleNameDialogProps {
  readonly edited: EditedTemplate;
  readonly asked: Asked;
  readonly onClose: () => void;
}

/** Asks for a name under which to save the data, or for a new name for its sample. */
function SampleNameDialog({ edited, asked, onClose }: SampleNameDialogProps) {
  const isRename = asked === 'rename';
  const before = isRename ? (edited.sample.value ?? '') : '';
  const name = useSignal(before);
  const isMissing = useSignal(false);
  const action = useAction(async (given: string) => {
    await (isRename ? edited.renameSample(given) : edited.saveSampleAs(given));
    onClose();
    return isRename ? messages.sampleRenamed(given) : messages.sampleSaved(given);
  });
  const wanted = name.value.trim();
  const isTaken = wanted !== before && edited.samples.value.some((sample) => sample.name === wanted);
  const { problem, ...texts } = isRename ? renameTexts(isTaken) : saveTexts(isTaken);
  const submit = () => {
    isMissing.value = wanted === '';
    if (wanted !== '' && problem === undefined) action.run(wanted);
  };
  return (
    <FormDialog {...texts} action={action} onSubmit={submit} onClose={onClose}>
      <Field
        label={messages.sampleName}
        hint={texts.hint}
        error={isMissing.value && wanted === '' ? messages.nameMissing : problem}
      >
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
    </FormDialog>
  );
}

/** Strings of the dialog. `isTaken`: whether another sample has the name. A problem prevents saving. */
interface SampleNameTexts {
  readonly title: string;
  readonly submit: string;
  readonly hint?: string;
  readonly problem?: string;
}

function saveTexts(isTaken: boolean): SampleNameTexts {
  const title = messages.saveSample;
  return isTaken
    ? { title, submit: messages.replaceSample, hint: messages.sampleReplaced }
    : { title, submit: text.common.save, hint: messages.sampleHint };
}

function renameTexts(isTaken: boolean): SampleNameTexts {
  const texts = { title: messages.renameSample, submit: messages.rename };
  return isTaken ? { ...texts, problem: messages.sampleTaken } : texts;
}
