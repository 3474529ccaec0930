/**
 * Writes docs/openapi.json, the document that `/v1/openapi.json` serves. With --check, only compares and exits with 1
 * on drift.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { loadGatewayConfig } from './config.ts';
import { createGateway } from './gateway.ts';

const FILE = new URL('../docs/openapi.json', import.meta.url);

const text = `${JSON.stringify(await readDocument(), null, 2)}\n`;
if (!process.argv.includes('--check')) {
  await writeFile(FILE, text);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
  process.stderr.write('docs/openapi.json differs from the routes: run `npm run generate`\n');
  process.exitCode = 1;
}

/** Reads the OpenAPI document of a gateway that is created but not started. */
async function readDocument(): Promise<unknown> {
  const root = await mkdtemp(join(tmpdir(), 'trifold-openapi-'));
  const checkPool = new CheckPool();
  const { app } = await createGateway({
    kubernetes: new KubernetesClient({
      send: () => Promise.reject(new Error('generating the OpenAPI document requires no API server')),
    }),
    store: new DirectoryStore({ root }),
    checkPool,
    clock: systemClock,
    logger: createLogger({ name: 'generate', level: 'silent' }),
    config: loadGatewayConfig({}),
    metrics: new Metrics(),
  });
  try {
    return (await app.inject('/v1/openapi.json')).json();
  } finally {
    await app.close();
    await checkPool.stop();
    await rm(root, { recursive: true });
  }
}
