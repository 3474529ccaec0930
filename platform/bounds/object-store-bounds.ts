import type { Bound } from './bound.ts';

/** Bounds for the object store. */
export const OBJECT_STORE_BOUNDS = {
  samples: {
    holds: 'disk',
    in: 'object store',
    what: 'Sample data as JSON; one sample can use at most half of the limit',
    per: 'template',
    limit: { value: 2048, unit: 'KiB' },
    beyond: '400 `invalid_request`',
  },
  thumbnails: {
    holds: 'disk',
    in: 'object store',
    what: 'Thumbnail',
    per: 'template version',
    limit: { value: 256, unit: 'KiB' },
    beyond: 'Rendered for each request instead of stored',
  },
  templateVersions: {
    holds: 'disk',
    in: 'object store',
    what: 'Stored versions',
    per: 'template',
    limit: { setting: 'TRIFOLD_TEMPLATE_VERSIONS' },
    beyond: 'The oldest versions are deleted, except the published one',
  },
  attachments: {
    holds: 'disk',
    in: 'object store',
    what: 'Attachments, decoded',
    per: 'document',
    limit: { value: 4096, unit: 'KiB' },
    beyond: '400 `invalid_request`',
  },
  eInvoices: {
    holds: 'disk',
    in: 'object store',
    what: 'XML of an e-invoice',
    per: 'document',
    limit: { value: 1024, unit: 'KiB' },
    beyond:
      '422 `invoice_invalid`; 413 `body_too_large` if the XML of a batch exceeds the limit for its data',
  },
  storedBytes: {
    holds: 'disk',
    in: 'object store',
    what: 'Total size of all objects',
    per: 'account',
    limit: { setting: 'TRIFOLD_MAX_STORED_BYTES' },
    beyond: '507 `storage_full`, after a delay of a few minutes',
  },
} as const satisfies Record<string, Bound>;
