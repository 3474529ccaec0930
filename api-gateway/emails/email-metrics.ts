import type { KeyMode } from '@trifold/crds';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { Caller } from '../server/auth/caller.ts';

const MODES: readonly KeyMode[] = ['live', 'test'];

/** Counts compiled emails by the mode of the key; returns the function to call for each email. */
export function countEmails(metrics: Metrics): (caller: Caller) => void {
  const compiled = metrics.counter({
    name: 'trifold_gateway_emails_compiled_total',
    help: 'Emails compiled, by the mode of the key.',
    labelNames: ['mode'],
  });
  for (const mode of MODES) compiled.inc({ mode }, 0);
  return ({ mode }) => compiled.inc({ mode });
}
