import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation, type Pod } from './installation.ts';
import { ManyDocuments } from './many-documents.ts';

const COMPLETED = 'trifold_renderer_tasks_total{outcome="completed"}';
/** The autoscaler checks the load at intervals, 15 seconds in k3s, and the metrics are up to one interval old. */
const AUTOSCALER_MS = 240_000;

const installation = await Installation.connect();
const documents = await ManyDocuments.prepare(installation.live);
afterAll(() => installation.upgrade({}));

const renderers = (minReplicas: number, maxReplicas: number) =>
  installation.upgrade({ renderer: { autoscaling: { minReplicas, maxReplicas } } });

/** Returns the number of documents that a renderer has completed. */
const made = (pod: Pod) => installation.metric(pod, COMPLETED);

describe('Additional renderers', () => {
  it('start when the values request them, take new work and stop cleanly', async () => {
    const before = (await installation.readyPods('renderer', 2)).map(({ name }) => name);
    await renderers(3, 3);
    const three = await installation.readyPods('renderer', 3, AUTOSCALER_MS);
    const added = three.find(({ name }) => !before.includes(name));
    expect(await made(added!)).toBe(0);
    const ids = await documents.accept(20);
    await eventually(async () => (await made(added!)) > 0);
    await documents.expectAll(ids);
    // The autoscaler removes the excess renderer.
    const traffic = documents.traffic(2);
    await renderers(2, 2);
    await installation.readyPods('renderer', 2, AUTOSCALER_MS);
    await traffic.more(10);
    expect(await traffic.stop()).toEqual([]);
  });

  it('start under load, take work and stop when the load ends', async () => {
    const before = (await installation.readyPods('renderer', 2)).map(({ name }) => name);
    await renderers(2, 3);
    const traffic = documents.traffic(6, 'large');
    const three = await installation.readyPods('renderer', 3, AUTOSCALER_MS);
    const added = three.find(({ name }) => !before.includes(name));
    await eventually(async () => (await made(added!)) > 0, { timeoutMs: 60_000 });
    const events = await installation.ours('describe', 'hpa', 'trifold-renderer');
    expect(events).toMatch(
      /New size: 3; reason: cpu resource utilization \(percentage of request\) above target/,
    );
    expect(await traffic.stop()).toEqual([]);
    await installation.readyPods('renderer', 2, AUTOSCALER_MS);
  });
});
