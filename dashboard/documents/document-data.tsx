import type { TrifoldClient } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Empty } from '../components/content/data-table.tsx';
import { Button } from '../components/controls/button.tsx';
import { formatBytes } from '../components/format.ts';
import { Loaded } from '../components/notices/loading.tsx';
import { saveFile } from '../components/save-file.ts';
import type { Resource } from '../loading/resource.ts';
import { documents as messages } from '../messages/documents.ts';
import { formatJson } from '../templates/json-text.ts';

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
