import { useSignal } from '@preact/signals';
import type { Template } from '@trifold/client';
import { Button } from '../../components/controls/button.tsx';
import { formatNumber } from '../../components/format.ts';
import { ConfirmDialog } from '../../components/notices/dialog.tsx';
import { Notice } from '../../components/notices/notice.tsx';
import { showToast } from '../../components/notices/toasts.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';

interface ForceNoticeProps {
  readonly template: Template;
  readonly onChange: (template: Template) => void;
}

/** Says which version documents use, and ends publishing. */
export function ForceNotice({ template, onChange }: ForceNoticeProps) {
  const { client, allows } = useSession();
  const isAsking = useSignal(false);
  const { id, version, published_version: published } = template;
  if (published === undefined) return <p>{messages.currentInForce(formatNumber(version))}</p>;
  const unpublish = async () => {
    onChange(await client.templates.publish(id, null));
    isAsking.value = false;
    showToast(messages.unpublished);
  };
  return (
    <Notice>
      <p>{messages.publishedInForce(formatNumber(published), formatNumber(version))}</p>
      {allows('templates:write') && (
        <Button onClick={() => void (isAsking.value = true)}>{messages.unpublish}</Button>
      )}
      {isAsking.value && (
        <ConfirmDialog
          title={messages.unpublishTitle}
          confirm={messages.unpublish}
          onConfirm={unpublish}
          onClose={() => void (isAsking.value = false)}
        >
          <p>{messages.unpublishText(formatNumber(version))}</p>
        </ConfirmDialog>
      )}
    </Notice>
  );
}
