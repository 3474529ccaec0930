import { join } from 'node:path';
import { CUSTOM_KINDS } from '@trifold/crds';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { describeKubectl, whyNoKubectl, type KubectlTarget } from './kubectl-suite.ts';
import { templateYaml } from './manifests.ts';
import { removeDirectory, temporaryDirectory } from '../support/service.ts';

const missing = whyNoKubectl();
if (missing) console.warn(`kubectl against the embedded control plane is skipped: ${missing}`);

describe.skipIf(missing)('kubectl against the embedded control plane', () => {
  describeKubectl(start, (session) => {
    // A kube-apiserver leaves this to the controller manager, which the other suite does not have.
    test.each([
      ['background', ''],
      ['foreground', ''],
      ['orphan', 'template.trifold.dev/leaf\n'],
    ])('delete --cascade=%s leaves %j', async (cascade, left) => {
      const kubectl = await session();
      await kubectl.okWith(templateYaml('owner'), 'create -f -');
      const uid = await kubectl.ok('get tpl owner -o jsonpath={.metadata.uid}');
      const owner = { apiVersion: 'trifold.dev/v1alpha1', kind: 'Template', name: 'owner', uid };
      await kubectl.okWith(templateYaml('leaf', {}, { ownerReferences: [owner] }), 'create -f -');
      await kubectl.ok(`delete tpl owner --cascade=${cascade} --timeout=50s`);
      await eventually(async () => expect(await kubectl.ok('get tpl -o name')).toBe(left));
    });
  });
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
