import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { webhooks as messages } from '../messages/webhooks.ts';

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret once. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={messages.secretTitle} onClose={onClose}>
      <Notice kind="warning">{messages.secretOnce}</Notice>
      <CodeBlock code={secret} label={messages.theSecret} />
      <p class="small muted">{messages.secretUse}</p>
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {messages.stored}
        </Button>
      </div>
    </Dialog>
  );
}
