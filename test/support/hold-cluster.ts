/**
 * A cluster to work in by hand: starts one, loads the images of deploy/ when they were built, says how to reach it, and
 * removes it when told to end. `.ci/cluster-machine node test/support/hold-cluster.ts`
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
