import { COLLECTION_INTERVAL } from '../bounds/timeouts.ts';
import type { Settings } from './setting.ts';
import { byteSize, wholeNumber } from './setting-types.ts';

/** Limits of each account. */
export const QUOTAS = {
  TRIFOLD_MAX_UNFINISHED_DOCUMENTS: {
    type: wholeNumber(0, 1_000_000),
    common: true,
    default: '10000',
    doc: 'Maximum number of unfinished documents per account, including batch items; every 16 KiB of options counts as one document. Requests that would exceed it return 429. `0`: no limit. Existing documents count only with Kubernetes 1.31 or newer (field selectors of custom resources).',
    chart: { value: 'gateway.config.maxUnfinishedDocuments' },
  },
  TRIFOLD_MAX_TEMPLATES: {
    type: wholeNumber(0, 1_000_000),
    default: '1000',
    doc: 'Maximum number of templates per account. Once it is reached, `POST /v1/templates` returns 409. `0`: no limit.',
    chart: { value: 'gateway.config.maxTemplates' },
  },
  TRIFOLD_MAX_KEYS: {
    type: wholeNumber(0, 1_000_000),
    default: '1000',
    doc: 'Maximum number of API keys per account. Once it is reached, `POST /v1/api-keys` returns 409. `0`: no limit.',
    chart: { value: 'gateway.config.maxKeys' },
  },
  TRIFOLD_MAX_STORED_BYTES: {
    type: byteSize('0', '1048576Gi'),
    common: true,
    default: '50Gi',
    doc: `Maximum total size of the objects that an account has in the object store, such as documents, data, template versions and the request log. Once it is reached, requests that store data return 507. The controller counts the objects every ${COLLECTION_INTERVAL}, so an account can exceed the limit between counts. \`0\`: no limit.`,
    chart: { value: 'gateway.config.maxStoredBytes' },
  },
} as const satisfies Settings;
