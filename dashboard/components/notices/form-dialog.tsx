import type { ComponentChildren } from 'preact';
import type { Action } from '../../loading/action.ts';
import { text } from '../../messages/text.ts';
import { Button } from '../controls/button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { ErrorNotice } from './notice.tsx';

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly submit: string;
  /** The action that `onSubmit` runs. */
  readonly action: Pick<Action<never>, 'running' | 'error'>;
  /** Called with the values of the fields, which it checks. */
  readonly onSubmit: (values: FormData) => void;
  readonly onClose: () => void;
  /** Labels of the fields, by their path in the request. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

export function FormDialog(props: FormDialogProps) {
  const { title, submit, action, onSubmit, onClose, labels = {}, children } = props;
  const send = (event: Event & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={send} noValidate>
        {children}
        <ErrorNotice error={action.error.value} labelOf={(path) => labels[path]} />
        <DialogActions>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind="primary" type="submit" busy={action.running.value}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
