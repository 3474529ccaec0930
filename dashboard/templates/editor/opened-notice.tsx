import { Button } from '../../components/controls/button.tsx';
import { formatNumber } from '../../components/format.ts';
import { Notice } from '../../components/notices/notice.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

/** Says that the editor shows the data of a document, and lets the user return to the sample data. */
export function OpenedNotice({ edited }: { readonly edited: EditedTemplate }) {
  const { document } = edited.opened.value ?? {};
  if (!document) return null;
  const { template_version: version } = document;
  const isOther = version !== null && version !== edited.saved.value.version;
  return (
    <Notice>
      <div class="row">
        <span>
          {messages.opened}{' '}
          <a href={`/dashboard/documents/${encodeURIComponent(document.id)}`}>{messages.openedDocument}</a>
          {'. '}
          {messages.openedNote}
          {isOther && ` ${messages.openedVersion(formatNumber(version))}`}
        </span>
        <Button onClick={() => edited.closeDocument()}>{messages.closeDocument}</Button>
      </div>
    </Notice>
  );
}
