import { useSignal } from '@preact/signals';
import type { CompletedGeneration, Download, TrifoldClient } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Empty } from '../components/content/data-table.tsx';
import { Button } from '../components/controls/button.tsx';
import { formatBytes } from '../components/format.ts';
import { Loaded } from '../components/notices/loading.tsx';
import { saveFile } from '../components/save-file.ts';
import { useResource, type Resource } from '../loading/resource.ts';
import { documents as messages } from '../messages/documents.ts';
import { useSession } from '../session/session.ts';
import { formatJson } from '../templates/json-text.ts';
import type { Zoom } from '../templates/preview/pdf/pdf-pages.ts';
import { PreviewFile } from '../templates/preview/preview-file.tsx';
import { shownFormat } from './formats.ts';
import { ActionError } from './problem.tsx';
import styles from './documents.module.css';

/** A larger file is shown only on request: it takes memory and time. */
const LARGE_BYTES = 20_000_000;

/** A document's file in a form that the browser can show. */
export function DocumentFile({ document: { id, file_size } }: { readonly document: CompletedGeneration }) {
  const isAsked = useSignal(file_size <= LARGE_BYTES);
  return (
    <section class="stack" aria-labelledby="file">
      <h2 id="file">{messages.file}</h2>
      {isAsked.value ? (
        <LoadedFile id={id} />
      ) : (
        <Empty>
          <p>{messages.tooLarge(formatBytes(file_size))}</p>
          <p>
            <Button onClick={() => void (isAsked.value = true)}>{messages.showAnyway}</Button>
          </p>
        </Empty>
      )}
    </section>
  );
}

function LoadedFile({ id }: { readonly id: string }) {
  const { client } = useSession();
  const zoom = useSignal<Zoom>('width');
  const file = useResource(async (signal) => readFile(await client.documents.download(id, { signal })), [id]);
  if (file.error.value !== undefined) return <ActionError error={file.error.value} />;
  if (!file.value.value) return <Empty>{messages.loadingFile}</Empty>;
  const { format, bytes } = file.value.value;
  if (format === undefined) return <Empty>{messages.unknownFormat}</Empty>;
  return (
    <div class={styles.file}>
      <PreviewFile preview={{ format, file: bytes, email: null }} zoom={zoom} canDownload={false} />
    </div>
  );
}

/** Reads the file if a browser can show it. */
async function readFile({ contentType, stream }: Download) {
  const format = shownFormat(contentType);
  if (format === undefined) {
    await stream.cancel();
    return { format, bytes: new Uint8Array() };
  }
  return { format, bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

export type Data = Awaited<ReturnType<TrifoldClient['documents']['data']>>;

/** More characters would slow down the page. */
const MAX_SHOWN = 100_000;

interface DocumentDataProps {
  readonly id: string;
  readonly data: Resource<Data | undefined>;
}

/** The data of a failed document. */
export function DocumentData({ id, data }: DocumentDataProps) {
  return (
    <section class="stack" aria-labelledby="data">
      <h2 id="data">{messages.data}</h2>
      <Loaded resource={data}>{(loaded) => <ShownData id={id} json={formatJson(loaded)} />}</Loaded>
    </section>
  );
}

function ShownData({ id, json }: { readonly id: string; readonly json: string }) {
  const save = () => saveFile(new Blob([json], { type: 'application/json' }), `${id}.json`);
  return (
    <>
      {json.length <= MAX_SHOWN ? (
        <CodeBlock code={json} label={messages.dataAsJson} />
      ) : (
        <Empty>{messages.dataTooLarge(formatBytes(json.length))}</Empty>
      )}
      <p class="row">
        <span class="small muted">{messages.dataKept}</span>
        <Button icon="download" onClick={save}>
          {messages.downloadData}
        </Button>
      </p>
    </>
  );
}
