import type { TestProject } from 'vitest/node';
import {
  builtImages,
  startCluster,
  type Cluster,
  type ClusterAddress,
} from '../support/kubernetes/cluster.ts';
import { NAMESPACE } from './release.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterAddress;
  }
}

/** Starts one cluster for all test files. Fails without a cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = Boolean(process.env['TRIFOLD_TEST_CLUSTER_KUBECONFIG']);
  const images = given ? [] : builtImages();
  const cluster = await startCluster();
  try {
    await cluster.loadImages(images);
    await createNamespace(cluster);
    project.provide('cluster', {
      kubeconfig: cluster.kubeconfig,
      nodePortUrl: await cluster.nodePortUrl(),
    });
  } catch (error) {
    console.error(await cluster.describe());
    await cluster.stop();
    throw error;
  }
  return () => cluster.stop();
}

/** Creates the release namespace, which enforces the `restricted` pod security standard. */
async function createNamespace({ kubectl }: Cluster): Promise<void> {
  await kubectl.ok(['create', 'namespace', NAMESPACE]);
  await kubectl.ok(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
}
