import { join } from 'node:path';
import { CUSTOM_KINDS } from '@trifold/crds';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { describe } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { HttpsClient } from '../support/http/https-client.ts';
import { describeConformance } from './conformance.ts';
import type { ConformanceTarget } from './target.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

/** Longer than the history retention plus the 30 seconds between two compactions. */
const PAST_HISTORY_MS = 7 * 60 * 1000;

describe('The embedded control plane', () => {
  describeConformance(start);
});

/** Starts a control plane with its data in a file, and connects over TLS as kubectl does. */
async function start(): Promise<ConformanceTarget> {
  const directory = await temporaryDirectory();
  const clock = new FakeClock(new Date());
  const logger = createLogger({ level: 'warn', name: 'conformance' });
  const file = join(directory, 'control-plane.db');
  const running = await EmbeddedControlPlane.open({ file, kinds: CUSTOM_KINDS, clock, logger });
  const { url, caCertificate, token } = await running.listen({ host: '127.0.0.1', port: 0, directory });
  const client = new HttpsClient({ url, caCertificate, token });
  return {
    client,
    async compact() {
      const forgotten = await pagedList(client);
      clock.advance(PAST_HISTORY_MS);
      // Compaction runs in small steps, so that it does not block requests.
      await eventually(async () => (await client.text(forgotten)).status === 410);
    },
    passSecond: () => clock.advance(1000),
    async stop() {
      client.close();
      await running.close();
      await removeDirectory(directory);
    },
  };
}

/** Returns a request for a second page that expires when the current history is compacted. */
async function pagedList(client: HttpsClient): Promise<{ method: string; path: string }> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'page-' } });
  const create = {
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: { 'content-type': 'application/json' },
  };
  await client.json({ ...create, body });
  const path = '/api/v1/namespaces?limit=1';
  const page = (await client.json({ method: 'GET', path })) as { metadata: { continue: string } };
  // One more write puts the token's revision in the past.
  await client.json({ ...create, body });
  return { method: 'GET', path: `${path}&continue=${encodeURIComponent(page.metadata.continue)}` };
}
