/** Prints the state of the whole cluster after a failed test, before anything changes it. */
import { afterEach, inject } from 'vitest';
import { connectCluster } from '../support/kubernetes/cluster.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const cluster = await connectCluster(inject('cluster'));
  try {
    console.error(await cluster.describe());
  } finally {
    await cluster.stop();
  }
});
