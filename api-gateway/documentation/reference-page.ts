/**
 * Entry point of a thread that builds the API reference page. Its package keeps two copies of a 4 MB script in memory
 * while the thread runs.
 */
import { parentPort } from 'node:worker_threads';
import reference from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

export interface ReferencePage {
  readonly page: string;
  /** UTF-8. The page loads it from `js/scalar.js`. */
  readonly script: Uint8Array;
}

const app = fastify();
await app.register(reference, {
  routePrefix: '/docs/api',
  configuration: {
    url: '/v1/openapi.json',
    pageTitle: 'Trifold API',
    hideClientButton: true,
    hideTestRequestButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
  },
});
const page = await app.inject('/docs/api/');
const script = await app.inject('/docs/api/js/scalar.js');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the rule applies to windows
parentPort?.postMessage({ page: page.body, script: script.rawPayload } satisfies ReferencePage);
