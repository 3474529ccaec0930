/** `node controller/main.ts`: one controller of a cluster. If there are several, one leads and the others stand by. */
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { readKubeConfig } from '@trifold/platform/kubernetes/client/kube-config.ts';
import {
  candidateIdentity,
  ownServiceAccount,
  podNamespace,
} from '@trifold/platform/kubernetes/election/leader-candidate.ts';
import { LeaderElection, FencedTransport } from '@trifold/platform/kubernetes/election/leader-election.ts';
import { LEASE, type Lease } from '@trifold/platform/kubernetes/election/leader-lease.ts';
import { warnOfUnknownSettings } from '@trifold/platform/settings/read-settings.ts';
import { createLogger, type Logger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { OperationsServer } from '@trifold/platform/process/operations-server.ts';
import { aborted, runService, stopSignal, untilDone } from '@trifold/platform/process/service-process.ts';
import { BullMqQueue } from '@trifold/platform/render-queue/bullmq/bullmq-queue.ts';
import { loadControllerProcessConfig, type ControllerProcessConfig } from './config.ts';
import { createControllers } from './controllers.ts';

/** Time for in-flight work to finish after the stop signal; the lease is held until then. */
const GRACE_MS = 5_000;
const MAX_STOP_MS = 15_000;

async function main(): Promise<void> {
  const config = loadControllerProcessConfig(process.env);
  const logger = createLogger({ level: config.service.logLevel, name: 'trifold-controller' });
  warnOfUnknownSettings(process.env, logger);
  const stopping = stopSignal(logger, { timeoutMs: MAX_STOP_MS });
  const clock = systemClock;
  const transport = new HttpTransport(readKubeConfig(), { userAgent: 'trifold-controller' });
  const metrics = new Metrics();
  metrics.collectProcess();
  const store = new S3Store(config.store, { logger });
  const queue = new BullMqQueue({ redis: config.redis, taskKeys: config.taskKeys, clock, logger });
  const elected = Promise.withResolvers<void>();
  const election = electionOf(config, { transport, logger, onElected: elected.resolve });
  const help = 'Whether this controller is the leader (1) or on standby (0).';
  metrics.gaugeOf({ name: 'trifold_controller_leading', help }, () => Number(election.leading));
  const checkPool = new CheckPool();
  const controllers = createControllers({
    kubernetes: new KubernetesClient(new FencedTransport(transport, () => election.leading)),
    store,
    queue,
    checkPool,
    clock,
    logger,
    config: config.controller,
    metrics,
  });
  const operations = await OperationsServer.listen({
    host: config.service.host,
    port: config.operations.operationsPort,
    clock,
    logger,
    metrics,
    ready: [
      { name: 'caches', check: async () => failUnless(controllers.isWarm, 'the caches have not synced') },
      { name: 'object-store', check: () => store.check() },
      { name: 'render-queue', check: () => queue.check() },
    ],
  });
  const start = async () => {
    await untilDone('prepare the object store', () => store.prepare(), { logger, signal: stopping });
    // Competes for the lease only once it can do the work: a leader that is still filling its caches is useless.
    await controllers.warm();
    if (!stopping.aborted) election.start();
    await elected.promise;
    await controllers.start();
  };
  const started = start().catch((error: unknown) => {
    if (!stopping.aborted) throw error;
  });
  await Promise.race([started, aborted(stopping)]);
  await aborted(stopping);
  await controllers.stop(GRACE_MS);
  // Released only now: the next leader must not run alongside this one's in-flight work.
  await election.stop();
  await checkPool.stop();
  await queue.close();
  store.close();
  transport.close();
  await operations.close();
  logger.info('stopped');
}

interface Candidacy {
  readonly transport: HttpTransport;
  readonly logger: Logger;
  readonly onElected: () => void;
}

function electionOf({ lease }: ControllerProcessConfig, { transport, ...candidacy }: Candidacy) {
  const namespace = lease.namespace ?? podNamespace() ?? 'default';
  return new LeaderElection({
    ...candidacy,
    leases: new KubernetesClient(transport).builtin<Lease>(LEASE),
    namespace,
    name: lease.name,
    // The Lease is deleted together with the installation.
    owner: ownServiceAccount(namespace),
    identity: candidateIdentity(),
    clock: systemClock,
    onLost: () => {
      // No in-flight work may continue. The next process starts as a standby.
      candidacy.logger.fatal('lost the lease, exiting so that another controller takes over');
      process.exit(1);
    },
  });
}

function failUnless(holds: boolean, reason: string): void {
  if (!holds) throw new Error(reason);
}

await runService('trifold-controller', main);
