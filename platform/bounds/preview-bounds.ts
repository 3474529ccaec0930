import type { Bound } from './bound.ts';

/** Bounds for previews, in gateways and renderers. */
export const PREVIEW_BOUNDS = {
  previews: {
    holds: 'slots',
    in: 'gateway',
    what: 'Previews in progress',
    per: 'account',
    limit: { value: 4, unit: 'previews' },
    beyond: '429 `too_many_previews`',
  },
  clusterPreviews: {
    holds: 'slots',
    in: 'renderer',
    what: 'Previews in a cluster renderer',
    per: 'account',
    limit: { value: 1, unit: 'preview' },
    beyond:
      'The gateway tries other renderers, then returns 503 `unavailable`; accounts without a preview in the renderer can use one spare slot',
  },
  renderedPreviews: {
    holds: 'slots',
    in: 'standalone service',
    what: 'Previews in the renderer',
    per: 'account',
    limit: { value: 16, unit: 'previews' },
    beyond: '503 `unavailable`; accounts without a preview can use one spare slot',
  },
} as const satisfies Record<string, Bound>;
