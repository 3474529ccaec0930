import { inject } from 'vitest';
import { connectCluster, type Cluster } from '../support/cluster.ts';

/** The cluster of this run; `stop()` lets go of it and leaves it running. */
export function clusterUnderTest(): Promise<Cluster> {
  return connectCluster(inject('cluster'));
}
