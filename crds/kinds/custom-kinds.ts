import { API_KEY } from './api-key.ts';
import { BATCH } from './batch.ts';
import { GENERATION_JOB } from './generation-job.ts';
import type { KindDefinition } from '../schema/kind.ts';
import { TEMPLATE } from './template.ts';
import { USAGE_REPORT } from './usage-report.ts';
import { WEBHOOK_DELIVERY } from './webhook-delivery.ts';
import { WEBHOOK_ENDPOINT } from './webhook-endpoint.ts';

/** All custom resources of the group, in the order of `kubectl api-resources`. */
export const CUSTOM_KINDS: readonly KindDefinition[] = [
  API_KEY,
  BATCH,
  GENERATION_JOB,
  TEMPLATE,
  USAGE_REPORT,
  WEBHOOK_DELIVERY,
  WEBHOOK_ENDPOINT,
];
