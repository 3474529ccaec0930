import type { Generation } from '@trifold/client';
import { actionsColumn } from '../components/content/data-table.tsx';
import { Button } from '../components/controls/button.tsx';
import { documents as messages } from '../messages/documents.ts';
import { useSession } from '../session/session.ts';
import { DeleteButton } from './delete-button.tsx';
import { useDownload } from './save-download.ts';
import { WorkList } from './work-list.tsx';
import { Nothing, OneLine, WarningCount, WorkStatus } from './work-parts.tsx';
import styles from './documents.module.css';

/** The documents from the last 24 hours. */
export function DocumentsPage() {
  const { client } = useSession();
  const download = useDownload(async ({ id }: Generation) => client.documents.download(id));
  return (
    <WorkList<Generation>
      texts={messages}
      path="/dashboard/documents"
      load={async (query, options) => client.documents.page(query, options)}
      download={download}
      columns={({ id, template, format, metadata, created, expires }, reload) => [
        id,
        { label: messages.filename, cell: filename },
        format,
        template,
        { label: messages.status, cell: (document) => <DocumentStatus document={document} /> },
        metadata,
        created,
        expires,
        actionsColumn((document) => (
          <span class={styles.actions}>
            {document.status === 'completed' && (
              <Button
                icon="download"
                title={messages.download}
                aria-label={messages.downloadOne(document.id)}
                onClick={() => download.run(document)}
              />
            )}
            <DeleteButton document={document} isInList onDeleted={reload} />
          </span>
        )),
      ]}
    />
  );
}

function filename({ filename: name }: Generation) {
  return name === undefined ? <Nothing /> : <OneLine text={name} />;
}

/** The status, with the number of warnings for a finished document. */
function DocumentStatus({ document }: { readonly document: Generation }) {
  const warnings = 'warnings' in document ? document.warnings.length : 0;
  return (
    <span class={styles.states}>
      <WorkStatus status={document.status} />
      {warnings > 0 && <WarningCount count={warnings} />}
    </span>
  );
}
