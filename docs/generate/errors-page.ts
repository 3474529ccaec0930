import {
  DELIVERY_ERROR_CODES,
  type DeliveryErrorDescription,
} from '@trifold/platform/errors/delivery-error-codes.ts';
import { ERROR_CODES, type ErrorDescription } from '@trifold/platform/errors/error-codes.ts';
import { WARNING_DESCRIPTIONS } from '@trifold/platform/errors/warning-codes.ts';
import { frontMatter } from './front-matter.ts';

const CODES = Object.entries<ErrorDescription>(ERROR_CODES);

const HEAD = `${frontMatter('platform/errors/*-codes.ts')}

# Error codes

Compare \`code\` in programs: its meaning never changes, and new codes can be added. \`message\` is for humans, and \`details\` lists
each wrong field. [Errors and retries](api/errors-and-retries.md) describes the body of an error.`;

const REQUESTS = `## Errors of requests

Sorted by HTTP status.`;

const DOCUMENTS = `## Errors of documents

A document, batch or batch item that fails has the status \`failed\` and an \`error\` with one of these codes. The events
\`document.failed\` and \`generation.failed\`, and \`kubectl describe\`, show the same code.`;

const WARNINGS = `## Warnings of documents

A document that completes but may have a problem has \`warnings\`: a list of at most 20 objects with \`code\`, \`message\`, \`name\` and,
if known, \`part\`, \`line\` and \`column\` ([where a problem is](api/errors-and-retries.md#where-a-problem-is)). A warning never
fails a document. The status shows the warnings until the document expires; a GenerationJob has them in \`status.warnings\`. A failed document has the warnings that its last attempt found before it failed. If it failed with \`conformance_failed\`, its first warnings are the problems that the error does not state, with the code \`conformance_broken\`. Events about completed documents, and batch items, have the field only if there are warnings. [Compiled emails](emails.md#warnings) have the same list.`;

const SILENT = `Some problems cause no warning:

- Bindings whose value is null or an empty string.
- Bindings that only test whether a value exists: arguments of conditions, \`default\` and \`lookup\`; named arguments;
  sections (\`{{#name}}\`); and \`{{#each}}\` and \`{{#with}}\` with an \`{{else}}\`.
- Resources with absolute URLs in \`html\` documents: the reader's browser shows the document.
- Styles that CSS escapes hide, such as \`u\\72l(logo.png)\`, and pixels of an embedded image that are damaged.
- Missing fonts and glyphs in documents in the formats \`html\` and \`docx\`: the reader's program chooses the fonts. In
  images, missing glyphs in a document with \`@font-face\`.
- Single letters or symbols that the font for their script lacks, Latin script, and letters that the HTML contains
  only as named references (\`&alpha;\`) or as escapes in CSS (\`content: "\\0F40"\`).`;

const DELIVERIES = `## Errors of webhook deliveries

A failed attempt has an \`error\` with one of these codes. The delivery log and the response to a test event show it. Trifold
[retries the delivery](webhooks.md#retries-and-the-log), unless it is a test event or failed with one of the last two codes.`;

/** Returns docs/errors.md. */
export function errorsPage(): string {
  const requests = CODES.flatMap(([code, error]) =>
    error.status === undefined ? [] : [requestError(code, error)],
  );
  const deliveries = Object.entries<DeliveryErrorDescription>(DELIVERY_ERROR_CODES);
  const parts = [
    HEAD,
    REQUESTS,
    ...requests,
    DOCUMENTS,
    ...documentErrors(),
    WARNINGS,
    ...Object.entries(WARNING_DESCRIPTIONS).map(([code, { cause, name, example, remedy }]) =>
      section(code, `${cause} \`name\`: ${name}\n\n\`\`\`text\n${example}\n\`\`\``, remedy),
    ),
    SILENT,
    DELIVERIES,
    ...deliveries.map(([code, { cause, remedy }]) => section(code, cause, remedy)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function requestError(
  code: string,
  { status, document, retryable, cause, remedy }: ErrorDescription,
): string {
  const about = [
    `Status ${status}.`,
    cause,
    ...(document ? ['Documents can fail with this code too.'] : []),
    ...(retryable ? ['A retry can succeed.'] : []),
  ];
  return section(code, about.join(' '), remedy);
}

/** Returns links for the codes that documents share with requests, and a section for each of the others. */
function documentErrors(): string[] {
  const codes = CODES.filter(([, { document }]) => document).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shared = codes
    .filter(([, { status }]) => status !== undefined)
    .map(([code]) => `[\`${code}\`](#${code})`);
  const own = codes.filter(([, { status }]) => status === undefined);
  return [
    `Documents can also fail with these request error codes: ${shared.join(', ')}. The other codes are:`,
    ...own.map(([code, { cause, remedy, retryable }]) =>
      section(code, retryable ? `${cause} All attempts at the document failed.` : cause, remedy),
    ),
  ];
}

function section(code: string, about: string, remedy: string): string {
  return `### \`${code}\`\n\n${about}\n\n**What to do:** ${remedy}`;
}
