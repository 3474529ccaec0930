import { ONE_SPARE, type Bound } from './bound.ts';

/** Bounds for renderers. */
export const RENDERER_BOUNDS = {
  // A browser uses up to eight bytes per image pixel. 200 megapixels are 16 phone photos.
  images: {
    holds: 'memory',
    in: 'renderer',
    what: 'Pixels in images that are embedded as base64 or loaded from allowed hosts',
    per: 'document',
    limit: { value: 200, unit: 'megapixels' },
    beyond: 'The document fails with `image_too_large`',
  },
  cachedRevisions: {
    holds: 'memory',
    in: 'renderer',
    what: 'Cached contents of template versions, for all accounts together',
    per: 'process',
    limit: { value: 64 * 1024 * 1024, unit: 'bytes' },
    beyond: 'The least recently used contents are dropped',
  },
  // A process has 512 MiB for these and for several copies of a merged document.
  compiledTemplates: {
    holds: 'memory',
    in: 'renderer',
    what: 'Compiled templates, headers, footers and properties in a process that merges templates',
    per: 'process',
    limit: { value: 128 * 1024 * 1024, unit: 'bytes' },
    beyond: 'The least recently used templates are compiled again',
  },
  tasks: {
    holds: 'slots',
    in: 'renderer',
    what: 'Documents in progress, of which one must be interactive',
    per: 'account',
    limit: { setting: 'TRIFOLD_BROWSERS', shown: '2 × `TRIFOLD_BROWSERS` + 1' },
    beyond: ONE_SPARE,
  },
  prints: {
    holds: 'slots',
    in: 'renderer',
    what: 'Browsers that print documents',
    per: 'account',
    limit: { setting: 'TRIFOLD_BROWSERS' },
    beyond: ONE_SPARE,
  },
  pictures: {
    holds: 'slots',
    in: 'renderer',
    what: 'Browsers for images and DOCX',
    per: 'account',
    limit: { value: 1, unit: 'browser' },
    beyond: ONE_SPARE,
  },
  merges: {
    holds: 'slots',
    in: 'renderer',
    what: 'Processes that merge templates with data',
    per: 'account',
    limit: { setting: 'TRIFOLD_BROWSERS' },
    beyond: ONE_SPARE,
  },
  compositions: {
    holds: 'slots',
    in: 'renderer',
    what: 'Processes that compose DOCX files',
    per: 'account',
    limit: { value: 1, unit: 'process' },
    beyond: ONE_SPARE,
  },
} as const satisfies Record<string, Bound>;
