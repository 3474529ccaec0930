import type { Template } from '@trifold/client';
import { formatNumber } from '../../components/format.ts';
import { ConfirmButton } from '../../components/notices/dialog.tsx';
import { Notice } from '../../components/notices/notice.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';

interface ForceNoticeProps {
  readonly template: Template;
  readonly onChange: (template: Template) => void;
}

/** Says which version documents use, and lets the user unpublish it. */
export function ForceNotice({ template, onChange }: ForceNoticeProps) {
  const { client, allows } = useSession();
  const { id, version, published_version: published } = template;
  const mayWrite = allows('templates:write');
  if (published === undefined) {
    return (
      <p>
        {messages.currentInForce(formatNumber(version))} {mayWrite && messages.publishHint}
      </p>
    );
  }
  const unpublish = async () => {
    onChange(await client.templates.publish(id, null));
    return messages.unpublished;
  };
  return (
    <Notice>
      <p>{messages.publishedInForce(formatNumber(published), formatNumber(version))}</p>
      {mayWrite && (
        <ConfirmButton
          label={messages.unpublish}
          title={messages.unpublishTitle}
          isHarmless
          onConfirm={unpublish}
        >
          <p>{messages.unpublishText(formatNumber(version))}</p>
        </ConfirmButton>
      )}
    </Notice>
  );
}
