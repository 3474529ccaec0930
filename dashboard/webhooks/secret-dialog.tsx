import { CodeBlock } from '../components/content/code-block.tsx';
import { Button } from '../components/controls/button.tsx';
import { Dialog, DialogActions } from '../components/notices/dialog.tsx';
import { Notice } from '../components/notices/notice.tsx';
import { webhooks as messages } from '../messages/webhooks.ts';

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret once. Only the button closes the dialog. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={messages.secretTitle} onClose={undefined}>
      <Notice kind="warning">{messages.secretOnce}</Notice>
      <CodeBlock code={secret} label={messages.theSecret} autofocus />
      <p class="small muted">{messages.secretUse}</p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {messages.stored}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
