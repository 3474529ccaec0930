import { join } from 'node:path';
import { CUSTOM_KINDS } from '@trifold/crds';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { describe } from 'vitest';
import { describeKubectl, whyNoKubectl, type KubectlTarget } from './kubectl-suite.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const missing = whyNoKubectl();
if (missing) console.warn(`kubectl against the embedded control plane is skipped: ${missing}`);

describe.skipIf(missing)('kubectl against the embedded control plane', () => {
  describeKubectl(start);
});

async function start(): Promise<KubectlTarget> {
  const directory = await temporaryDirectory();
  const running = await EmbeddedControlPlane.open({
    file: join(directory, 'control-plane.db'),
    kinds: CUSTOM_KINDS,
    clock: systemClock,
    logger: createLogger({ level: 'warn', name: 'kubectl' }),
  });
  const { kubeconfig } = await running.listen({ host: '127.0.0.1', port: 0, directory });
  return {
    kubeconfig,
    async stop() {
      await running.close();
      await removeDirectory(directory);
    },
  };
}
