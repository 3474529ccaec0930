import {
  DOCUMENT_LIFETIME,
  MAX_E_INVOICE_BYTES,
  MAX_EMAIL_BYTES,
  MAX_ENDPOINT_URL_LENGTH,
  MAX_MERGED_BYTES,
  MAX_METADATA_NAME_LENGTH,
  MAX_ATTACHMENTS,
  MAX_ATTACHMENTS_BODY_BYTES,
  MAX_BATCH_ITEMS,
  MAX_METADATA_FIELDS,
  MAX_METADATA_SIZE,
  MAX_WARNINGS,
  DEEPEST_BLOCKS,
  DEEPEST_JSON,
  DEEPEST_PARENTHESES,
  MAX_EXPRESSIONS,
  MAX_EXPRESSION_PARTS,
  MAX_OTHER_VALUES,
  MAX_PATTERN_LENGTH,
  MAX_SCHEMA_FIELDS,
  MAX_TEMPLATE_BYTES,
  MAX_USAGE_DAYS,
  MAX_USAGE_MONTHS,
} from '@trifold/crds';
import { pageQuery } from '@trifold/api-gateway/server/pagination/page.ts';
import { BOUNDS, type BoundName } from '@trifold/platform/bounds/bounds.ts';
import type { Bound, BoundValue } from '@trifold/platform/bounds/bound.ts';
import { EMAIL_TIMEOUT_MS, MERGE_TIMEOUT_MS } from '@trifold/platform/bounds/timeouts.ts';
import type { Setting } from '@trifold/platform/settings/setting.ts';
import { SETTINGS, type SettingName } from '@trifold/platform/settings/settings.ts';
import { table, type Row } from '../markdown-table.ts';
import { frontMatter } from './front-matter.ts';

const DETAILS = '400 `invalid_request`';
const DOES_NOT_COMPILE = '422 `template_does_not_compile`';

const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  Requests: [
    ofSetting('TRIFOLD_MAX_BODY', 'Request body, and data of a batch item', '413 `body_too_large`'),
    ofSetting('TRIFOLD_MAX_BATCH_BODY', 'Body of a batch request', '413 `body_too_large`'),
    [
      'Body of a request for one document with `attachments`',
      size(MAX_ATTACHMENTS_BODY_BYTES),
      '',
      '413 `body_too_large`',
    ],
    [`Values in a body outside \`data\``, count(MAX_OTHER_VALUES), '', '413 `body_too_large`'],
    ['Nesting of JSON', count(DEEPEST_JSON, 'levels'), '', '400 `invalid_json`'],
    ofSetting('TRIFOLD_RATE_LIMIT', 'Requests per key and window', '429 `rate_limited`'),
    ofSetting(
      'TRIFOLD_SYNC_WAIT',
      'Time that `POST /v1/generate` waits for the document',
      '202 with the status `processing`',
    ),
    ...ofBounds('requestBodies', 'uploadRate', 'responses', 'downloads', 'pipelinedRequests', 'previews'),
    ['Entries per page', count(pageQuery.limit.maximum ?? 0), '', DETAILS],
    ['Period of a usage request', `${MAX_USAGE_DAYS} days or ${MAX_USAGE_MONTHS} months`, '', DETAILS],
  ],
  Accounts: ofBounds('unfinishedDocuments', 'templates', 'keys', 'endpoints', 'storedBytes'),
  Templates: [
    ['`html` and `css` together', size(MAX_TEMPLATE_BYTES), '', '413 `template_too_large`'],
    ['Expressions', count(MAX_EXPRESSIONS), '', DOES_NOT_COMPILE],
    ['Words and symbols in all expressions', count(MAX_EXPRESSION_PARTS), '', DOES_NOT_COMPILE],
    ['Nesting of blocks', count(DEEPEST_BLOCKS, 'levels'), '', DOES_NOT_COMPILE],
    ['Nesting of parentheses', count(DEEPEST_PARENTHESES, 'levels'), '', DOES_NOT_COMPILE],
    ['Fields of a schema, including nested ones', count(MAX_SCHEMA_FIELDS), '', '422 `invalid_schema`'],
    ['Length of a schema pattern', count(MAX_PATTERN_LENGTH, 'characters'), '', DETAILS],
    ['E-invoice mapping as JSON', size(MAX_E_INVOICE_BYTES), '', DOES_NOT_COMPILE],
    ...ofBounds('templateVersions', 'samples', 'thumbnails'),
  ],
  Documents: [
    ['Documents in a batch', count(MAX_BATCH_ITEMS), '', DETAILS],
    [
      'Time to merge the template with the data',
      `${MERGE_TIMEOUT_MS / 1000} s`,
      '',
      'The document fails with `merge_timeout`',
    ],
    ['Size of the merged HTML', size(MAX_MERGED_BYTES), '', 'The document fails with `merge_too_large`'],
    ofSetting(
      'TRIFOLD_RENDER_DEADLINE',
      'Rendering time of a document',
      'The document fails with `deadline_exceeded`',
    ),
    ofSetting('TRIFOLD_MAX_OUTPUT', 'File size', 'The document fails with `output_too_large`'),
    ...ofBounds('images'),
    ['Attachments of a document', count(MAX_ATTACHMENTS), '', DETAILS],
    ...ofBounds('attachments', 'eInvoices'),
    ['Fields in `metadata`', count(MAX_METADATA_FIELDS), '', DETAILS],
    ['Length of a field name in `metadata`', count(MAX_METADATA_NAME_LENGTH, 'characters'), '', DETAILS],
    ['`metadata` as JSON', count(MAX_METADATA_SIZE, 'bytes'), '', DETAILS],
    [
      'Warnings per document',
      `${count(MAX_WARNINGS)}; fewer per item of a batch with many warnings`,
      '',
      'The last warning contains the number of omitted warnings, unless only one fits',
    ],
    ['Retention of a file and its status', DOCUMENT_LIFETIME, '', '410 `expired`'],
  ],
  Emails: [
    ['Each part of a compiled email', size(MAX_EMAIL_BYTES), '', '422 `merge_too_large`'],
    ['Time to compile an email', `${EMAIL_TIMEOUT_MS / 1000} s`, '', '422 `merge_timeout`'],
  ],
  Webhooks: [
    ['URL', count(MAX_ENDPOINT_URL_LENGTH, 'characters'), '', DETAILS],
    ...ofBounds('pendingDeliveries', 'deliveredDeliveries', 'failedDeliveries'),
    ofSetting(
      'TRIFOLD_WEBHOOK_KEEP_DELIVERED',
      'Retention of delivered events in the log',
      'They are deleted',
    ),
    ofSetting('TRIFOLD_WEBHOOK_KEEP_FAILED', 'Retention of failed deliveries in the log', 'They are deleted'),
  ],
};

/** Returns the page with the limits that an API user can encounter. */
export function limitsPage(): string {
  const sections = Object.entries(SECTIONS).map(([title, rows]) =>
    [`## ${title}`, table([['Limit', 'Value', 'Setting', 'Beyond it'], ...rows])].join('\n\n'),
  );
  return [
    frontMatter('docs/generate/limits.ts'),
    '# Limits',
    'The values are defaults. The operator can change those that have a [setting](../configuration.md). Most error messages name the limit.',
    ...sections,
    `Work, templates, keys and endpoints created with kubectl count toward the limits of an account but are not rejected by them. However, once an account has ${count(BOUNDS.keptWork.limit.value, 'finished jobs')} with a custom name or time to live, further ones fail with \`too_many_kept\`. Only the account webhook and the ${BOUNDS.endpoints.limit.value - 1} oldest other endpoints receive events. The request rate counts only \`/v1\`.`,
    'Limits on bodies, responses, downloads, connections, previews and webhook tests apply at each gateway. With several gateways, an account can exceed the other limits by the requests that they accept within a few milliseconds.',
    'Request fields have further limits, which the tables for each operation show. See also: [limits of formats](../formats.md), [errors](../errors.md).\n',
  ].join('\n\n');
}

function ofSetting(name: SettingName, what: string, beyond: string): Row {
  return [what, settingText(name), `\`${name}\``, beyond];
}

function ofBounds(...names: readonly BoundName[]): Row[] {
  return names.map((name) => {
    const { what, per, limit, total, beyond }: Bound = BOUNDS[name];
    const inTotal = total === undefined ? '' : `; in total ${boundText(total)}`;
    const settings = [limit, total].flatMap((value) =>
      value && 'setting' in value ? [`\`${value.setting}\``] : [],
    );
    return [`${what}, per ${per}`, boundText(limit) + inTotal, settings.join(', '), beyond];
  });
}

function boundText(bound: BoundValue): string {
  if ('setting' in bound) return settingText(bound.setting);
  return bound.unit === 'bytes' ? size(bound.value) : count(bound.value, bound.unit);
}

function settingText(name: SettingName): string {
  const { default: value, shown = 'none' }: Setting = SETTINGS[name];
  if (value === undefined) return shown.replaceAll(/`(\d+)Mi`/g, '$1 MiB');
  const [, number = '', unit = ''] = /^(\d+)(\w*)$/.exec(value) ?? [];
  return number === '' ? value : count(Number(number), /^[KMG]i$/.test(unit) ? `${unit}B` : unit);
}

function size(bytes: number): string {
  return bytes < 2 ** 20 ? count(bytes / 2 ** 10, 'KiB') : count(bytes / 2 ** 20, 'MiB');
}

function count(number: number, unit = ''): string {
  return `${number.toLocaleString('en-US')} ${unit}`.trim();
}
