import { readFile } from 'node:fs/promises';
import { describe } from 'vitest';
import { kubeApiServerPrograms, startKubeApiServer } from '../support/kubernetes/kube-apiserver.ts';
import { describeKubectl, whyNoKubectl } from './kubectl-suite.ts';

const missing =
  whyNoKubectl() ??
  (kubeApiServerPrograms() || process.env['CI']
    ? undefined
    : 'TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server');
if (missing) console.warn(`kubectl against a real API server is skipped: ${missing}`);

describe.skipIf(missing)('kubectl against a real kube-apiserver', () => {
  describeKubectl(async () => {
    const running = await startKubeApiServer();
    return { kubeconfig: await readFile(running.kubeconfig, 'utf8'), stop: () => running.stop() };
  });
});
