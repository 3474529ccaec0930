import { beforeEach, expect, it } from 'vitest';
import type { ApiKey } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { KeyUses, USE_WRITTEN_EVERY_MS } from './key-uses.ts';

const KEY = 'key-1';
let clock: FakeClock;
let key: ApiKey;
let written: { name: string; patch: object }[];
let lines: string[];
/** Error that the server returns for the next write; if undefined, the write succeeds. */
let writeError: KubernetesApiError | undefined;
let uses: KeyUses;

const client = {
  async patchStatus({ name }: { name: string }, patch: object): Promise<ApiKey> {
    written.push({ name, patch });
    if (writeError) throw writeError;
    const { status } = patch as Pick<ApiKey, 'status'>;
    key = { ...key, metadata: { ...key.metadata, resourceVersion: '2' }, ...(status && { status }) };
    return key;
  },
};

beforeEach(() => {
  clock = new FakeClock('2026-11-21T12:00:00.000Z');
  key = { metadata: { name: KEY, namespace: 'acme', resourceVersion: '1' }, spec: {} } as ApiKey;
  written = [];
  lines = [];
  writeError = undefined;
  const destination = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const keys = { get: (_account: string | undefined, name: string) => (name === KEY ? key : undefined) };
  uses = new KeyUses({ keys, client, clock, logger });
});

/** Uses a key and advances the clock past the write delay. */
async function use(name = KEY): Promise<void> {
  uses.note('acme', name);
  clock.advance(1_000);
  // Nothing here waits, so the write finishes within one turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.pending).toBe(0);
}

it('writes the last use after the request, based on the known resource version', async () => {
  uses.note('acme', KEY);
  expect(written).toEqual([]);
  await use();
  const status = { lastUsedAt: '2026-11-21T12:00:01.000Z' };
  expect(written).toEqual([{ name: KEY, patch: { metadata: { resourceVersion: '1' }, status } }]);
});

it('does not write when another gateway writes during the delay, or for a deleted key', async () => {
  uses.note('acme', KEY);
  key = { ...key, status: { lastUsedAt: '2026-11-21T12:00:00.500Z' } };
  await use();
  await use('key-gone');
  expect(written).toEqual([]);
});

it('writes even if the stored time is in the future', async () => {
  key = { ...key, status: { lastUsedAt: '2027-01-01T00:00:00.000Z' } };
  await use();
  expect(written.length).toBe(1);
});

it.each(['Conflict', 'NotFound'])(
  'does not log or retry when the server responds with %s',
  async (reason) => {
    writeError = new KubernetesApiError({ code: reason === 'Conflict' ? 409 : 404, reason, message: 'no' });
    await use();
    await use();
    expect(written.length).toBe(1);
    expect(lines).toEqual([]);
  },
);

it('logs one line when a write fails and retries after a minute', async () => {
  writeError = new KubernetesApiError({ code: 503, reason: 'ServiceUnavailable', message: 'away' });
  await use();
  await use();
  expect(written.length).toBe(1);
  expect(lines).toEqual([expect.stringContaining('failed to record the last use of API keys')]);
  writeError = undefined;
  clock.advance(USE_WRITTEN_EVERY_MS);
  await use();
  expect(written.length).toBe(2);
  expect(key.status?.lastUsedAt).toBe(clock.now().toISOString());
});

it('writes immediately on stop and never afterwards', async () => {
  uses.note('acme', KEY);
  await uses.stop();
  expect(written.length).toBe(1);
  clock.advance(2 * USE_WRITTEN_EVERY_MS);
  await use();
  expect(written.length).toBe(1);
});
