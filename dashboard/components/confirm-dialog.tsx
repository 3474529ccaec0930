import type { ComponentChildren } from 'preact';
import { text } from '../messages/text.ts';
import { useAction } from '../loading/action.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What happens, and what is lost. */
  readonly children: ComponentChildren;
  /** Label of the button that does it: a verb, for example "Revoke". */
  readonly confirm: string;
  /** Does it. The dialog shows an error and stays open if it rejects. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is destroyed. */
export function ConfirmDialog({ title, children, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const { run, running, error } = useAction(onConfirm);
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">{children}</div>
      {error.value !== undefined && <ErrorNotice error={error.value} />}
      <div class="dialog-actions">
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button kind="danger" busy={running.value} onClick={run}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
