import type { BatchWithItems } from '@trifold/client';
import { DescriptionList } from '../../components/content/description-list.tsx';
import { Page } from '../../components/content/page.tsx';
import { Time } from '../../components/content/time.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Loaded } from '../../components/notices/loading.tsx';
import { useReloadWhile } from '../../loading/reload-while.ts';
import { useResource } from '../../loading/resource.ts';
import { batches as messages, documents as documentTexts } from '../../messages/documents.ts';
import { preview as previewTexts } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import type { PathParameters } from '../../shell/address.ts';
import { ActionError, Failure } from '../problem.tsx';
import { useDownload } from '../save-download.ts';
import { useTemplateNames } from '../template-names.ts';
import { Expiry, isUnfinished, Metadata, TemplateName } from '../work-parts.tsx';
import { BatchItems } from './batch-items.tsx';
import { BatchNotes } from './batch-notes.tsx';
import { BatchProgress, BatchStatus, hasZip } from './batch-progress.tsx';
import styles from '../documents.module.css';

/** One batch with its documents. It reloads while the batch is unfinished. */
export function BatchPage({ id = '' }: PathParameters) {
  const { client } = useSession();
  const batch = useResource(async (signal) => client.batches.get(id, { signal }), [id]);
  const current = batch.value.value;
  useReloadWhile(current !== undefined && isUnfinished(current), batch.reload);
  const zip = useDownload(async () => client.batches.downloadZip(id));
  const zipButton = current && hasZip(current) && (
    <Button kind="primary" icon="download" busy={zip.running.value} onClick={() => zip.run()}>
      {messages.zip}
    </Button>
  );
  return (
    <Page
      back={{ path: '/dashboard/batches', title: messages.title }}
      title={messages.detail}
      lead={<code class={styles.id}>{id}</code>}
      actions={zipButton}
    >
      <ActionError error={zip.error.value} />
      <Loaded resource={batch}>
        {(loaded) => (
          <>
            <Details batch={loaded} />
            <BatchNotes items={loaded.items} />
            <BatchItems batch={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Details({ batch }: { readonly batch: BatchWithItems }) {
  const templates = useTemplateNames();
  return (
    <>
      {batch.error && <Failure error={batch.error} />}
      <DescriptionList
        card
        entries={[
          [documentTexts.status, <BatchStatus batch={batch} />],
          [messages.progress, <BatchProgress batch={batch} />],
          [documentTexts.template, <TemplateName id={batch.template_id} templates={templates} />],
          [documentTexts.format, previewTexts.formats[batch.format]],
          [documentTexts.created, <Time at={batch.created_at} isExact />],
          [documentTexts.expires, <Expiry at={batch.expires_at} isExact />],
          [documentTexts.metadata, batch.metadata && <Metadata metadata={batch.metadata} />],
        ]}
      />
    </>
  );
}
