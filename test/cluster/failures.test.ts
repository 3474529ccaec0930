import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from './installation.ts';
import { ManyDocuments } from './many-documents.ts';
import { NAMESPACE } from './release.ts';

const MANY = 50;

let installation: Installation;
let documents: ManyDocuments;
beforeAll(async () => {
  installation = await Installation.connect();
  documents = await ManyDocuments.prepare(installation.live);
});
afterAll(() => installation?.close());

/** No one can kill the first process of a container from inside; tini ends with its child. */
const KILL_LAUNCHER = `
  for process in /proc/[0-9]*; do
    tr '\\0' ' ' <"$process/cmdline" | grep -q '^node .*/launcher/' && kill -KILL "\${process#/proc/}"
  done`;

describe('Failures in the cluster', () => {
  it('lose no document when the container of the browsers is killed, as it is when its memory runs out', async () => {
    const pods = await installation.pods('renderer');
    const ids = await documents.inFlight(MANY);
    for (const { name } of pods) {
      const shell = ['--container=browser', '--', 'bash', '-c', KILL_LAUNCHER];
      // The command ends with its container.
      await installation.kubectl.run(['exec', '--namespace', NAMESPACE, name, ...shell]);
    }
    await documents.expectAll(ids);
    const restarts = '--output=jsonpath={.items[*].status.initContainerStatuses[*].restartCount}';
    await eventually(async () => {
      const selector = '--selector=app.kubernetes.io/component=renderer';
      const counts = await installation.ours('get', 'pods', selector, restarts);
      return counts.split(' ').every((count) => Number(count) > 0);
    });
    await installation.readyPods('renderer', 2);
    expect((await installation.pods('renderer')).map(({ name }) => name)).toEqual(
      pods.map(({ name }) => name),
    );
  });
});
