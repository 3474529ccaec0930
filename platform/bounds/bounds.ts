import type { Bound } from './bound.ts';
import { API_SERVER_BOUNDS } from './api-server-bounds.ts';
import { GATEWAY_BOUNDS } from './gateway-bounds.ts';
import { OBJECT_STORE_BOUNDS } from './object-store-bounds.ts';
import { PREVIEW_BOUNDS } from './preview-bounds.ts';
import { QUEUE_BOUNDS } from './queue-bounds.ts';
import { RENDERER_BOUNDS } from './renderer-bounds.ts';

/**
 * Every bound. Code that enforces a bound takes its number from here. `npm run generate` writes the table in
 * docs/run/limits.md, and `test/floods/floods.ts` exhausts each bound or names the test that does.
 */
export const BOUNDS = {
  ...GATEWAY_BOUNDS,
  ...PREVIEW_BOUNDS,
  ...API_SERVER_BOUNDS,
  ...QUEUE_BOUNDS,
  ...OBJECT_STORE_BOUNDS,
  ...RENDERER_BOUNDS,
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof BOUNDS;
