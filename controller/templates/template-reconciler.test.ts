import type { Condition } from '@trifold/crds';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { aTemplate } from '../testing/objects.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { TemplateReconciler } from './template-reconciler.ts';

const NEVER = new AbortController().signal;
const html = `<p>${' '.repeat(2_000)}`;
const schema = { fields: [{ name: 'a', type: 'string' as const }] };

it.each([
  ['after a minute at first', { html }, 0, 60_000],
  ['after as long as it has not been Ready', { html }, 600_000, 600_000],
  ['after an hour at most', { html }, 86_400_000, 3_600_000],
  ['also when the check of its schema timed out', { schema }, 0, 60_000],
])('a template whose check timed out is checked again, %s', async (_when, spec, notReadyMs, delay) => {
  const clock = new FakeClock();
  const lastTransitionTime = new Date(clock.now().getTime() - notReadyMs).toISOString();
  const failed: Omit<Condition, 'lastTransitionTime'> = {
    type: 'Ready',
    status: 'False',
    reason: 'SyntaxError',
    message: 'the template takes longer than 5000 ms to check',
  };
  const template = aTemplate({ spec, status: { conditions: [{ ...failed, lastTransitionTime }] } });
  const reconciler = new TemplateReconciler({
    templates: { find: async () => template, replaceStatus: async (written) => written },
    cache: { get: () => template },
    store: temporaryStore(),
    checker: new TemplateChecker({
      ask: () => Promise.reject(new ChildProcessError('time_limit')),
      limits: { timeoutMs: 5_000, memoryMib: 256 },
    }),
    events: { warn: () => undefined },
    clock,
  });
  const result = await reconciler.reconcile({ namespace: 'acme', name: 'invoice' }, NEVER);
  expect(result).toEqual({ requeueAfterMs: delay });
});
