import type { Generation } from '@trifold/client';
import { Empty } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Button, ButtonLink } from '../components/controls/button.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { Notice } from '../components/notices/notice.tsx';
import { useAction, type Action } from '../loading/action.ts';
import { useReloadWhile } from '../loading/reload-while.ts';
import { useResource, type Resource } from '../loading/resource.ts';
import { documents as messages } from '../messages/documents.ts';
import { useSession } from '../session/session.ts';
import { useRouteFromPage, type PathParameters } from '../shell/address.ts';
import { editorPath } from '../templates/paths.ts';
import { DeleteButton, DOCUMENTS_PATH } from './delete-button.tsx';
import { DocumentData, DocumentFile, type Data } from './document-content.tsx';
import { DocumentDeliveries } from './document-deliveries.tsx';
import { DocumentDetails } from './document-details.tsx';
import { ActionError, Failure } from './problem.tsx';
import { repeatedRequest } from './repeated-request.ts';
import { useDownload } from './save-download.ts';
import { isUnfinished } from './work-parts.tsx';
import styles from './documents.module.css';

/** One document with its file, or with its data if it failed. It reloads while the document is unfinished. */
export function DocumentPage({ id = '' }: PathParameters) {
  // Another document replaces everything on the page.
  return <ShownDocument key={id} id={id} />;
}

function ShownDocument({ id }: { readonly id: string }) {
  const { client } = useSession();
  const route = useRouteFromPage();
  const document = useResource(async (signal) => client.documents.get(id, { signal }));
  const current = document.value.value;
  const isFailed = current?.status === 'failed';
  const data = useResource<Data | undefined>(
    async (signal) => (isFailed ? client.documents.data(id, { signal }) : undefined),
    [isFailed],
  );
  useReloadWhile(current !== undefined && isUnfinished(current), document.reload);
  const download = useDownload(async () => client.documents.download(id));
  const repeat = useRepeat();
  const error = download.error.value ?? repeat.error.value;
  return (
    <Page
      back={{ path: DOCUMENTS_PATH, title: messages.title }}
      title={messages.detail}
      lead={<code class={styles.id}>{id}</code>}
      actions={
        current && (
          <>
            {current.status === 'completed' && (
              <Button
                kind="primary"
                icon="download"
                busy={download.running.value}
                onClick={() => download.run()}
              >
                {messages.download}
              </Button>
            )}
            <RepeatActions document={current} data={data.value.value} repeat={repeat} />
            <DeleteButton document={current} isInList={false} onDeleted={() => route(DOCUMENTS_PATH)} />
          </>
        )
      }
    >
      <ActionError error={error} />
      <Loaded resource={document}>{(loaded) => <Sections document={loaded} data={data} />}</Loaded>
    </Page>
  );
}

interface SectionsProps {
  readonly document: Generation;
  readonly data: Resource<Data | undefined>;
}

function Sections({ document, data }: SectionsProps) {
  const { allows } = useSession();
  const { id, status } = document;
  return (
    <>
      {status === 'failed' && <Failure error={document.error} />}
      {status === 'failed' && document.has_own_e_invoice && <Notice>{messages.notRepeatable}</Notice>}
      <DocumentDetails document={document} />
      {isUnfinished(document) && <Empty>{messages.noFileYet}</Empty>}
      {status === 'completed' && <DocumentFile document={document} />}
      {status === 'failed' && <DocumentData id={id} data={data} />}
      {!isUnfinished(document) && allows('webhooks:read') && <DocumentDeliveries id={id} />}
    </>
  );
}

/** Generates a document again from its data, and shows the new one. */
function useRepeat(): Action<[Generation, Data]> {
  const { client } = useSession();
  const route = useRouteFromPage();
  return useAction(async (document: Generation, data: Data) => {
    const { template_id } = document;
    if (template_id === null) return;
    const again = await client.documents.generate({ ...repeatedRequest(document), template_id, data });
    route(`/dashboard/documents/${encodeURIComponent(again.id)}`);
  });
}

interface RepeatActionsProps {
  readonly document: Generation;
  readonly data: Data | undefined;
  readonly repeat: Action<[Generation, Data]>;
}

/** Actions that a saved template's author can take with a failed document's data. */
function RepeatActions({ document, data, repeat }: RepeatActionsProps) {
  const { allows } = useSession();
  const { template_id: template } = document;
  if (document.status !== 'failed' || template === null || !data) return null;
  return (
    <>
      {allows('templates:read') && (
        <ButtonLink kind="primary" icon="edit" href={editorPath(template, document.error, document.id)}>
          {messages.openInEditor}
        </ButtonLink>
      )}
      {!document.has_own_e_invoice && (
        <Button
          icon="retry"
          title={messages.repeatHint}
          busy={repeat.running.value}
          onClick={() => repeat.run(document, data)}
        >
          {messages.repeat}
        </Button>
      )}
    </>
  );
}
