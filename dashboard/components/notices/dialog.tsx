import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useAction, type Perform } from '../../loading/action.ts';
import { text } from '../../messages/text.ts';
import type { IconName } from '../content/icon.tsx';
import { Button } from '../controls/button.tsx';
import { ErrorNotice } from './notice.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Called when the user closes the dialog, including with Escape. Undefined: only the dialog's buttons close it. */
  readonly onClose: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** Gets the initial focus in a dialog without an `autofocus` element. */
const FIRST = 'input, select, textarea, footer button';

/** A modal dialog. It is open while it is rendered; the browser keeps the focus in it and returns it afterwards. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Runs before the user can type: opening moves the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    if (!dialog?.querySelector('[autofocus]')) dialog?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      class={styles.dialog}
      ref={element}
      aria-labelledby={titleId}
      closedby={onClose ? 'closerequest' : 'none'}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="row spread">
        <h2 id={titleId}>{title}</h2>
        {onClose && <Button icon="close" aria-label={text.common.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ComponentChildren }) {
  return <footer class={styles.actions}>{children}</footer>;
}

interface ConfirmDialogProps {
  readonly title: string;
  /** Consequences of the action, including any loss. */
  readonly children: ComponentChildren;
  /** Label of the confirm button: a verb, for example "Revoke". */
  readonly confirm: string;
  /** Whether the action is non-destructive. @default false */
  readonly isHarmless?: boolean;
  /** If it rejects, the dialog shows the error and stays open. */
  readonly onConfirm: Perform;
  readonly onClose: () => void;
}

/** Asks for confirmation before something is destroyed or changed for other users. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, isHarmless = false, onConfirm, onClose } = props;
  const { run, running, error } = useAction(onConfirm);
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">{children}</div>
      <ErrorNotice error={error.value} />
      <DialogActions>
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button kind={isHarmless ? 'primary' : 'danger'} busy={running.value} onClick={run}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'confirm' | 'onClose'> {
  readonly label: string;
  readonly icon?: IconName;
  /** Whether the label appears only on hover. @default false */
  readonly isIconOnly?: boolean;
  /** Label of the button in the dialog. @default label */
  readonly confirm?: string;
  /** Accessible name of the button. @default label */
  readonly 'aria-label'?: string;
}

/** A button that asks for confirmation. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, icon, isIconOnly = false, onConfirm, 'aria-label': hint, ...question } = props;
  const isAsking = useSignal(false);
  const close = () => void (isAsking.value = false);
  const perform = async () => {
    const message = await onConfirm();
    close();
    return message;
  };
  return (
    <>
      <Button
        kind={question.isHarmless ? 'secondary' : 'destructive'}
        icon={icon}
        aria-label={hint}
        title={isIconOnly ? label : undefined}
        onClick={() => void (isAsking.value = true)}
      >
        {isIconOnly ? undefined : label}
      </Button>
      {isAsking.value && <ConfirmDialog confirm={label} {...question} onConfirm={perform} onClose={close} />}
    </>
  );
}
