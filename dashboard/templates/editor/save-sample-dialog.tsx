import { useSignal } from '@preact/signals';
import type { TemplateSample } from '@trifold/client';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field } from '../../components/field.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useAction } from '../../loading/action.ts';

const LONGEST_NAME = 200;

interface SaveSampleDialogProps {
  /** Samples that the template has. */
  readonly samples: readonly TemplateSample[];
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name under which sample data is saved. */
export function SaveSampleDialog({ samples, onSave, onClose }: SaveSampleDialogProps) {
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
        <div class="dialog-actions">
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" busy={running.value}>
            {isThere ? messages.replaceSample : text.common.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
