import type { TestProject } from 'vitest/node';
import { builtImages, startCluster, type ClusterAddress } from '../support/cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: ClusterAddress;
  }
}

/** One cluster with our images for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const images = builtImages();
  const cluster = await startCluster();
  try {
    await cluster.loadImages(images);
    project.provide('cluster', {
      kubeconfig: cluster.kubeconfig,
      nodePortUrl: await cluster.nodePortUrl(),
    });
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  return () => cluster.stop();
}
