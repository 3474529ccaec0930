/**
 * `node test/processes/serve.ts`: starts the three services over a real API server, Redis and MinIO, prints what the
 * acceptance suite needs to be pointed at them, and keeps them until it is told to end.
 */
import { once } from 'node:events';
import { ClusterProcesses } from '../support/cluster-processes.ts';

const cluster = await ClusterProcesses.start({ controllers: 2, renderers: 2 });
const variables = {
  URL: cluster.url,
  LIVE_KEY: cluster.live.key ?? '',
  TEST_KEY: cluster.test.key ?? '',
  KUBECONFIG: cluster.kubeconfig,
  ACCOUNT: 'default',
};
for (const [name, value] of Object.entries(variables)) {
  process.stdout.write(`export TRIFOLD_ACCEPTANCE_${name}=${value}\n`);
}
process.stdout.write(`export TRIFOLD_ACCEPTANCE_READY=true\n`);
// The listeners of signals keep no process alive.
const alive = setInterval(() => undefined, 60_000);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
clearInterval(alive);
await cluster.stop();
