import type { CompletedGeneration, FailedGeneration, Generation } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { DescriptionList } from '../components/content/description-list.tsx';
import { Time } from '../components/content/time.tsx';
import { formatBytes, formatMilliseconds, formatNumber } from '../components/format.ts';
import { useResource } from '../loading/resource.ts';
import { documents as messages } from '../messages/documents.ts';
import { preview as previewTexts } from '../messages/template-pages.ts';
import { useSession } from '../session/session.ts';
import { formatJson } from '../templates/json-text.ts';
import { historyPath } from '../templates/paths.ts';
import { useTemplateNames } from './template-names.ts';
import { Expiry, Metadata, Nothing, TemplateName, Warnings, WorkStatus } from './work-parts.tsx';
import styles from './documents.module.css';

/** The service's record of a document. */
export function DocumentDetails({ document }: { readonly document: Generation }) {
  const { status, filename, metadata, options, request_id: request, key_id: key } = document;
  return (
    <DescriptionList
      card
      entries={[
        [messages.status, <WorkStatus status={status} />],
        [messages.template, <TemplateVersion document={document} />],
        [messages.format, previewTexts.formats[document.format]],
        [messages.filename, filename !== undefined && <span class={styles.fileName}>{filename}</span>],
        [messages.created, <Time at={document.created_at} isExact />],
        [messages.expires, <Expiry at={document.expires_at} isExact />],
        [messages.key, key ? <KeyName id={key} /> : <Nothing />],
        [messages.request, request ? <RequestId id={request} /> : <Nothing />],
        ...(status === 'completed' || status === 'failed' ? resultOf(document) : []),
        [messages.options, options && <CodeBlock code={formatJson(options)} label={messages.options} />],
        [messages.metadata, metadata && <Metadata metadata={metadata} />],
      ]}
    />
  );
}

/** Links to the request log. */
function RequestId({ id }: { readonly id: string }) {
  const { allows } = useSession();
  const code = <code>{id}</code>;
  return allows('usage:read') ? <a href={`/dashboard/requests?request_id=${id}`}>{code}</a> : code;
}

function TemplateVersion({ document }: { readonly document: Generation }) {
  const { template_id: id, template_version: version } = document;
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

/** Maximum number of keys per list page. */
const MAX_KEYS = 100;

/** A key's name, if the session may read keys and the key is one of the newest 100, and its ID. */
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

const STEPS = Object.entries(messages.steps) as [keyof typeof messages.steps, string][];

/** Details of a finished document, or of its last attempt if it failed. */
function resultOf(document: CompletedGeneration | FailedGeneration) {
  const { status, timings = {}, warnings, template_id } = document;
  const steps = STEPS.flatMap(([name, label]) =>
    timings[name] === undefined ? [] : `${label} ${formatMilliseconds(timings[name])}`,
  );
  const isFailed = status === 'failed';
  const time = isFailed ? document.total_time_ms : document.render_time_ms;
  const none = isFailed && steps.length === 0 ? messages.notReported : messages.noWarnings;
  return [
    [
      isFailed ? messages.timeToFailure : messages.renderTime,
      <>
        {formatMilliseconds(time ?? 0)}
        <p class="small muted">
          {isFailed && messages.attempts(document.attempts)} {steps.join(', ')}
        </p>
      </>,
    ],
    [messages.size, !isFailed && formatBytes(document.file_size)],
    [messages.warnings, warnings.length > 0 ? <Warnings warnings={warnings} template={template_id} /> : none],
  ] as const;
}
