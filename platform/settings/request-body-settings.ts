import type { Settings } from './setting.ts';
import { byteSize } from './setting-types.ts';

/** Request body sizes. */
export const REQUEST_BODIES = {
  TRIFOLD_MAX_BODY: {
    type: byteSize('1Ki', '256Mi'),
    common: true,
    default: '2Mi',
    doc: 'Maximum size of a request body, and of the data for a batch item. A request for one document with attachments may have up to `8Mi` if that is more, and one with sample data up to 2 MiB more.',
    chart: { value: 'gateway.config.maxBody' },
  },
  TRIFOLD_MAX_BATCH_BODY: {
    type: byteSize('1Ki', '256Mi'),
    common: true,
    default: '16Mi',
    doc: 'Maximum size of a batch request body. Parsing stops after 5 s, and the request then returns 413. Bodies of more than about `64Mi` may take longer than that.',
    chart: { value: 'gateway.config.maxBatchBody' },
  },
  TRIFOLD_BODY_BUDGET: {
    type: byteSize('1Ki', '64Gi'),
    shown: '`128Mi`, or the largest allowed body if that is larger',
    doc: 'Maximum total size of the bodies of all in-flight requests at a gateway; it must be at least the size of the largest allowed body. Requests that would exceed it return 503. One API key may use half of this size, or the size of the largest allowed body if that is larger; beyond that, its requests return 429. Bodies of up to 64 KiB may exceed both limits by a quarter. A body counts until the gateway has responded to its request.',
    chart: {
      value: 'gateway.config.bodyBudget',
      note: 'Empty: 128Mi, or the largest allowed body if that is larger. Parsing a body needs several times its size in memory, so leave room below the memory limit.',
    },
  },
} as const satisfies Settings;
