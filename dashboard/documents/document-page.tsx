import { useSignal } from '@preact/signals';
import type { Generation } from '@trifold/client';
import { useLocation } from 'preact-iso';
import { Empty } from '../components/content/data-table.tsx';
import { Description, DescriptionList } from '../components/content/description-list.tsx';
import { Page } from '../components/content/page.tsx';
import { Button } from '../components/controls/button.tsx';
import { formatBytes, formatNumber, formatTime } from '../components/format.ts';
import { Loaded } from '../components/notices/loading.tsx';
import { useReloadWhile } from '../loading/reload-while.ts';
import { useResource } from '../loading/resource.ts';
import { documents as messages } from '../messages/documents.ts';
import { preview as previewTexts } from '../messages/template-pages.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import type { PathParameters } from '../shell/address.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DocumentFile } from './document-file.tsx';
import { ActionError, Failure } from './problem.tsx';
import { useDownload } from './save-download.ts';
import { useTemplateNames } from './template-names.ts';
import { Expiry, isUnfinished, Metadata, TemplateName, Warnings, WorkStatus } from './work-parts.tsx';
import styles from './documents.module.css';

/** One document with its file. It reloads while the document is unfinished. */
export function DocumentPage({ id = '' }: PathParameters) {
  const { client } = useSession();
  const { route } = useLocation();
  const document = useResource(async (signal) => client.documents.get(id, { signal }), [id]);
  const current = document.value.value;
  useReloadWhile(current !== undefined && isUnfinished(current), document.reload);
  const isDeleting = useSignal(false);
  const download = useDownload(async () => client.documents.download(id));
  const actions = current && (
    <>
      {current.status === 'completed' && (
        <Button kind="primary" icon="download" busy={download.running.value} onClick={() => download.run()}>
          {messages.download}
        </Button>
      )}
      <Button kind="destructive" icon="delete" onClick={() => void (isDeleting.value = true)}>
        {text.common.delete}
      </Button>
    </>
  );
  return (
    <Page
      back={{ path: '/dashboard/documents', title: messages.title }}
      title={messages.detail}
      lead={<code class={styles.id}>{id}</code>}
      actions={actions}
    >
      {download.error.value !== undefined && <ActionError error={download.error.value} />}
      <Loaded resource={document}>{(loaded) => <Details document={loaded} />}</Loaded>
      {current && isDeleting.value && (
        <DeleteDialog
          document={current}
          onDeleted={() => route('/dashboard/documents')}
          onClose={() => void (isDeleting.value = false)}
        />
      )}
    </Page>
  );
}

function Details({ document }: { readonly document: Generation }) {
  const templates = useTemplateNames();
  return (
    <>
      {document.status === 'failed' && <Failure error={document.error} />}
      <DescriptionList card>
        <Description label={messages.status}>
          <WorkStatus status={document.status} />
        </Description>
        <Description label={messages.template}>
          <TemplateName id={document.template_id} templates={templates} />
        </Description>
        <Description label={messages.format}>{previewTexts.formats[document.format]}</Description>
        {document.filename !== undefined && (
          <Description label={messages.filename}>
            <span class={styles.fileName}>{document.filename}</span>
          </Description>
        )}
        <Description label={messages.created}>{formatTime(document.created_at)}</Description>
        <Description label={messages.expires}>
          <Expiry at={document.expires_at} />
        </Description>
        <Result document={document} />
        {document.metadata && (
          <Description label={messages.metadata}>
            <Metadata metadata={document.metadata} />
          </Description>
        )}
      </DescriptionList>
      {document.status === 'completed' && <DocumentFile key={document.id} document={document} />}
      {isUnfinished(document) && <Empty>{messages.noFileYet}</Empty>}
    </>
  );
}

/** Details of a completed document. */
function Result({ document }: { readonly document: Generation }) {
  if (document.status !== 'completed') return null;
  const { render_time_ms, file_size, warnings } = document;
  return (
    <>
      <Description label={messages.renderTime}>
        {messages.milliseconds(formatNumber(render_time_ms))}
      </Description>
      <Description label={messages.size}>{formatBytes(file_size)}</Description>
      <Description label={messages.warnings}>
        {warnings.length === 0 ? messages.noWarnings : <Warnings warnings={warnings} />}
      </Description>
    </>
  );
}
