/** Shows the whole cluster when a test has failed, while it still is as the test left it. */
import { afterEach, inject } from 'vitest';
import { connectCluster } from '../support/cluster.ts';

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const cluster = await connectCluster(inject('cluster'));
  try {
    console.error(await cluster.describe());
  } finally {
    await cluster.stop();
  }
});
