/**
 * Starts a cluster for manual work: loads the images from deploy/ if they are built, prints how to reach the cluster,
 * and removes it on a stop signal. `.ci/cluster-machine node test/support/kubernetes/hold-cluster.ts`
 */
import { once } from 'node:events';
import { builtImages, NODE_PORT, startCluster } from './cluster.ts';

const cluster = await startCluster();
try {
  const images = process.env['TRIFOLD_TEST_IMAGES'] ? builtImages() : [];
  await cluster.loadImages(images);
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  console.log(`# nodePort ${NODE_PORT} answers at ${await cluster.nodePortUrl()}; ${images.length} images`);
  console.log('# Ctrl-C removes the cluster');
  const alive = setInterval(() => {}, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(alive);
} finally {
  await cluster.stop();
}
