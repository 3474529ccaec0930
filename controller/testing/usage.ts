import {
  newId,
  type GenerationJob,
  type GenerationJobSpec,
  type GenerationJobStatus,
  type UsageReport,
  type UsageReportStatus,
} from '@trifold/crds';
import type { ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import { statusResponse } from '@trifold/platform/kubernetes/testing/model-api.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { ControllerFixture, Service } from './controller-fixture.ts';

export const TTL_MS = 600_000;
export const INTERVAL_MS = 10_000;

export interface Finished {
  readonly name?: string;
  readonly spec?: Partial<GenerationJobSpec>;
  readonly status?: Partial<GenerationJobStatus>;
  readonly finalizers?: string[];
}

/** Creates a finished job; by default completed, with two pages and a thousand bytes. */
export async function finishedJob(
  fixture: ControllerFixture,
  { name = newId('gen', fixture.clock.now()), spec, status, finalizers }: Finished = {},
): Promise<GenerationJob> {
  const job = await fixture.jobs.create({
    metadata: { name, namespace: 'default', ...(finalizers && { finalizers }) },
    // Can be dispatched unchanged, so that the controller does not write its status in between.
    spec: { templateRef: { name: 'invoice' }, revision: 'a'.repeat(64), version: 1, data: {}, ...spec },
  });
  const finishedAt = fixture.clock.now().toISOString();
  const done = { phase: 'Completed' as const, finishedAt, pages: 2, size: 1000, ...status };
  return fixture.jobs.replaceStatus({ ...job, status: done });
}

/** Status of a job that failed. */
export const FAILED = { phase: 'Failed', error: { code: 'print_failed', message: 'why' } } as const;

export function writesTo({ transport }: Service, pattern: RegExp) {
  return transport.requests.filter(({ method, path }) => method !== 'GET' && pattern.test(path));
}

/** Returns the service's writes to reports, in order. */
export function reportWrites(service: Service): UsageReportStatus[] {
  return writesTo(service, /usagereports\/.*\/status$/).map(
    ({ body }) => (JSON.parse(body ?? '{}') as UsageReport).status ?? {},
  );
}

/** Returns the number of jobs that exist. */
export async function jobsLeft(fixture: ControllerFixture): Promise<number> {
  return (await fixture.jobs.list({ namespace: 'default' })).items.length;
}

/** Advances the clock until no job is left and every report is settled, or until `over`. */
export async function untilSettled(
  fixture: ControllerFixture,
  over: () => boolean = () => false,
): Promise<void> {
  await eventually(
    async () => {
      if (over()) return true;
      fixture.clock.advance(INTERVAL_MS);
      if ((await jobsLeft(fixture)) > 0) return false;
      const { items } = await fixture.reports.list({ fieldSelector: 'status.pendingCount!=0' });
      return items.length === 0;
    },
    { timeoutMs: 60_000, intervalMs: 5 },
  );
}

/** Response from a server whose policy rejects a request. */
export function forbidden(): ApiResponse {
  return statusResponse(403, 'Forbidden', 'a policy says no');
}
