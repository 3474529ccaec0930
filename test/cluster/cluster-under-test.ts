import { inject } from 'vitest';
import { connectCluster, type Cluster } from '../support/kubernetes/cluster.ts';

/** Connects to the cluster of this run; `stop()` disconnects and leaves it running. */
export function clusterUnderTest(): Promise<Cluster> {
  return connectCluster(inject('cluster'));
}
