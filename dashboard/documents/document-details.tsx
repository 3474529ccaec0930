import type { CompletedGeneration, Generation } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Description, DescriptionList } from '../components/content/description-list.tsx';
import { formatBytes, formatNumber, formatTime } from '../components/format.ts';
import { useResource } from '../loading/resource.ts';
import { documents as messages } from '../messages/documents.ts';
import { preview as previewTexts } from '../messages/template-pages.ts';
import { useSession } from '../session/session.ts';
import { formatJson } from '../templates/json-text.ts';
import { historyPath } from '../templates/paths.ts';
import { useTemplateNames } from './template-names.ts';
import { Expiry, Metadata, Nothing, TemplateName, Warnings, WorkStatus } from './work-parts.tsx';
import styles from './documents.module.css';

/** What the service recorded about a document. */
export function DocumentDetails({ document }: { readonly document: Generation }) {
  const { filename, metadata, options, request_id: request, key_id: key } = document;
  return (
    <DescriptionList card>
      <Description label={messages.status}>
        <WorkStatus status={document.status} />
      </Description>
      <Description label={messages.template}>
        <TemplateVersion document={document} />
      </Description>
      <Description label={messages.format}>{previewTexts.formats[document.format]}</Description>
      {filename !== undefined && (
        <Description label={messages.filename}>
          <span class={styles.fileName}>{filename}</span>
        </Description>
      )}
      <Description label={messages.created}>{formatTime(document.created_at)}</Description>
      <Description label={messages.expires}>
        <Expiry at={document.expires_at} />
      </Description>
      <Description label={messages.key}>{key ? <KeyName id={key} /> : <Nothing />}</Description>
      <Description label={messages.request}>{request ? <RequestId id={request} /> : <Nothing />}</Description>
      {document.status === 'completed' && <Result document={document} />}
      {options && (
        <Description label={messages.options}>
          <CodeBlock code={formatJson(options)} label={messages.options} />
        </Description>
      )}
      {metadata && (
        <Description label={messages.metadata}>
          <Metadata metadata={metadata} />
        </Description>
      )}
    </DescriptionList>
  );
}

/** Leads to the request log. */
function RequestId({ id }: { readonly id: string }) {
  const { allows } = useSession();
  const code = <code>{id}</code>;
  return allows('usage:read') ? <a href={`/dashboard/requests?request_id=${id}`}>{code}</a> : code;
}

function TemplateVersion({ document: { template_id: id, template_version: version } }: DocumentProps) {
  const { allows } = useSession();
  const templates = useTemplateNames();
  const text = version !== null && messages.version(formatNumber(version));
  return (
    <span class="row">
      <TemplateName id={id} templates={templates} />
      {text && id !== null && allows('templates:read') ? (
        <a href={historyPath(id, version ?? undefined)}>{text}</a>
      ) : (
        text
      )}
    </span>
  );
}

interface DocumentProps {
  readonly document: Generation;
}

/** Maximum number of keys per list page. */
const MAX_KEYS = 100;

/** A key's name, if the session may read keys and the key is one of the newest 100, and its id. */
function KeyName({ id }: { readonly id: string }) {
  const { client, allows } = useSession();
  const keys = useResource(
    async (signal) =>
      allows('api-keys:read') ? client.apiKeys.page({ limit: MAX_KEYS }, { signal }) : undefined,
    [id],
  );
  const name = keys.value.value?.data.find((key) => key.id === id)?.name;
  return (
    <span class="row">
      {name}
      <code class={styles.id}>{id}</code>
    </span>
  );
}

/** Details of a completed document. */
function Result({ document }: { readonly document: CompletedGeneration }) {
  const { render_time_ms, file_size, warnings, timings } = document;
  return (
    <>
      <Description label={messages.renderTime}>
        {messages.milliseconds(formatNumber(render_time_ms))}
        {timings && <p class="small muted">{messages.timings(timingsOf(timings))}</p>}
      </Description>
      <Description label={messages.size}>{formatBytes(file_size)}</Description>
      <Description label={messages.warnings}>
        {warnings.length === 0 ? (
          messages.noWarnings
        ) : (
          <Warnings warnings={warnings} template={document.template_id} />
        )}
      </Description>
    </>
  );
}

function timingsOf({ queued_ms, merge_ms, print_ms, store_ms }: NonNullable<CompletedGeneration['timings']>) {
  return {
    queued: formatNumber(queued_ms),
    merge: formatNumber(merge_ms),
    print: formatNumber(print_ms),
    store: formatNumber(store_ms),
  };
}
