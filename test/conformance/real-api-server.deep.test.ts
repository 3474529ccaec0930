import { describe } from 'vitest';
import { HttpsClient } from '../support/http/https-client.ts';
import { kubeApiServerPrograms, startKubeApiServer } from '../support/kubernetes/kube-apiserver.ts';
import { describeConformance } from './conformance.ts';
import type { ConformanceTarget } from './target.ts';

const missing = !kubeApiServerPrograms();
if (missing && !process.env['CI']) {
  console.warn(
    'skipped: TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server to compare with',
  );
}

describe.skipIf(missing && !process.env['CI'])('A real kube-apiserver', () => {
  describeConformance(start, Boolean(process.env['TRIFOLD_TEST_RECORD']));
});

async function start(): Promise<ConformanceTarget> {
  const running = await startKubeApiServer();
  const { url, caCertificate, token } = running;
  const client = new HttpsClient({ url, caCertificate, token });
  return {
    client,
    compact: () => running.compact(),
    // Watches are served from an in-memory cache that starts when the kinds are installed.
    forgottenVersion: '1',
    async stop() {
      client.close();
      await running.stop();
    },
  };
}
