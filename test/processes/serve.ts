/**
 * `node test/processes/serve.ts`: starts the three services with a real API server, Redis and MinIO, prints the
 * settings that the acceptance suite needs to run against them, and keeps them running until it gets a signal to stop.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { ClusterProcesses } from '../support/processes/cluster-processes.ts';

const cluster = await ClusterProcesses.start({
  controllers: 2,
  renderers: 2,
  previews: true,
  environment: { TRIFOLD_SESSION_SECRET: randomUUID() },
});
const variables = {
  URL: cluster.url,
  LIVE_KEY: cluster.live.key ?? '',
  TEST_KEY: cluster.test.key ?? '',
  KUBECONFIG: cluster.kubeconfig,
  ACCOUNT: 'default',
  PREVIEWS: 'true',
};
for (const [name, value] of Object.entries(variables)) {
  process.stdout.write(`export TRIFOLD_ACCEPTANCE_${name}=${value}\n`);
}
process.stdout.write(`export TRIFOLD_ACCEPTANCE_READY=true\n`);
// Signal listeners do not keep the process alive.
const alive = setInterval(() => undefined, 60_000);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
clearInterval(alive);
await cluster.stop();
