import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation, type Pod } from './installation.ts';
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

/** Simulates the loss of the node: the pod gets no signal to react to. */
const kill = ({ name }: Pod) => installation.ours('delete', 'pod', name, '--force', '--grace-period=0');

/** Nobody can kill the first process of a container from inside; tini ends with its child. */
const KILL_LAUNCHER = `
  for process in /proc/[0-9]*; do
    tr '\\0' ' ' <"$process/cmdline" | grep -q '^node .*/launcher/' && kill -KILL "\${process#/proc/}"
  done`;

describe('Failures in the cluster', () => {
  it('lose no document when the leading controller is killed and another one takes over', async () => {
    const leader = await installation.leader();
    const ids = await documents.inFlight(MANY);
    await kill(leader);
    await documents.expectAll(ids);
    expect((await installation.leader()).name).not.toBe(leader.name);
    await installation.readyPods('controller', 2);
  });

  it('lose no document when a renderer is killed during its work', async () => {
    const [renderer] = await installation.pods('renderer');
    const ids = await documents.inFlight(MANY);
    await kill(renderer!);
    await documents.expectAll(ids);
    await installation.readyPods('renderer', 2);
  });

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

  it('lose no document when a renderer and the leading controller stop at the same time', async () => {
    const [renderer] = await installation.pods('renderer');
    const leader = await installation.leader();
    const ids = await documents.inFlight(MANY);
    await installation.ours('delete', 'pod', renderer!.name, leader.name, '--wait=false');
    await documents.expectAll(ids);
    await installation.readyPods('renderer', 2);
    await installation.readyPods('controller', 2);
  });
});
