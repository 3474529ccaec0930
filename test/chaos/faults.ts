import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyDisk } from '../support/faults/faulty-disk.ts';
import type { ClusterProcesses } from '../support/processes/cluster-processes.ts';
import type { NodeProcess } from '../support/processes/node-process.ts';
import type { SharedClock } from './shared-clock.ts';

/** Maximum outage, in milliseconds: longer than a lease. */
const MAX_MS = 12_000;
const MIN_MS = 500;
/** Less memory than an empty Redis needs. */
const NO_MEMORY = 'CONFIG SET maxmemory 1';
const ENOUGH_MEMORY = 'CONFIG SET maxmemory 0';

/** Parts of the test environment that a fault may use. */
export interface Scene {
  readonly cluster: ClusterProcesses;
  /** The gateways' and controllers' clock. */
  readonly clock: SharedClock;
  readonly random: () => number;
}

/** Breaks something; temporary damage is repaired by the time it resolves. */
export type Fault = (scene: Scene) => Promise<void>;

/** The faults possible on every machine, by name. */
export const FAULTS: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['a gateway is killed', kill('gateways')],
  ['a controller is killed', kill('controllers')],
  ['a renderer is killed', kill('renderers')],
  ['the container of the browsers is killed', kill('launchers')],
  ['a gateway is suspended', suspend('gateways')],
  ['a controller is suspended', suspend('controllers')],
  ['a renderer is suspended', suspend('renderers')],
  ['Redis loses its data', ({ cluster }) => cluster.redis.flushAll()],
  [
    'Redis is away',
    awhile(
      ({ redis }) => redis.kill(),
      ({ redis }) => redis.start(),
    ),
  ],
  [
    'Redis does not answer',
    awhile(
      ({ redis }) => redis.pause(),
      ({ redis }) => redis.resume(),
    ),
  ],
  [
    'Redis is full',
    awhile(
      ({ redis }) => redis.command(NO_MEMORY),
      ({ redis }) => redis.command(ENOUGH_MEMORY),
    ),
  ],
  [
    'the object store is away',
    awhile(
      ({ objectStore }) => objectStore.cut(),
      ({ objectStore }) => objectStore.restore(),
    ),
  ],
  [
    'the object store does not answer',
    awhile(
      ({ objectStore }) => objectStore.silence(),
      ({ objectStore }) => objectStore.restore(),
    ),
  ],
  [
    'the API server is away',
    awhile(
      ({ apiServer }) => apiServer.cut(),
      ({ apiServer }) => apiServer.restore(),
    ),
  ],
  [
    'the API server does not answer',
    awhile(
      ({ apiServer }) => apiServer.silence(),
      ({ apiServer }) => apiServer.restore(),
    ),
  ],
  ['the clock moves forward', moveClock(120)],
  ['the clock moves back', moveClock(-120)],
  ['the API server restarts', ({ cluster }) => cluster.restartApiServer()],
  [
    'all watches are cut and etcd is compacted',
    async ({ cluster }) => {
      cluster.apiServer.cut();
      await cluster.compactEtcd();
      cluster.apiServer.restore();
    },
  ],
]);

/** The object store's disk is full. */
export function fill(disk: FaultyDisk): Fault {
  return awhile(
    () => disk.fill(),
    () => disk.free(),
  );
}

/** Replaces exited processes, as Kubernetes does. */
export async function restartExited({ cluster }: Scene): Promise<void> {
  const running = (all: readonly NodeProcess[]) => all.filter((one) => one.running).length;
  while (running(cluster.gateways) < 2) await cluster.addGateway();
  while (running(cluster.controllers) < 2) await cluster.addController();
  if (running(cluster.launchers) < 1) await cluster.addLauncher();
  while (running(cluster.renderers) < 2) await cluster.addRenderer();
}

type Service = 'gateways' | 'controllers' | 'renderers' | 'launchers';

function kill(service: Service): Fault {
  return async (scene) => {
    await anyOf(scene, service).kill();
    await restartExited(scene);
  };
}

function suspend(service: Service): Fault {
  return async (scene) => {
    const suspended = anyOf(scene, service);
    suspended.signal('SIGSTOP');
    await sleep(duration(scene));
    suspended.signal('SIGCONT');
  };
}

function awhile(
  begin: (cluster: ClusterProcesses) => unknown,
  end: (cluster: ClusterProcesses) => unknown,
): Fault {
  return async (scene) => {
    await begin(scene.cluster);
    await sleep(duration(scene));
    await end(scene.cluster);
  };
}

function moveClock(seconds: number): Fault {
  return async (scene) => {
    await scene.clock.set(seconds);
    await sleep(duration(scene));
    await scene.clock.set(0);
  };
}

function anyOf({ cluster, random }: Scene, service: Service): NodeProcess {
  const running = cluster[service].filter((one) => one.running);
  const one = running[Math.floor(random() * running.length)];
  if (!one) throw new Error(`none of the ${service} runs`);
  return one;
}

function duration({ random }: Scene): number {
  return MIN_MS + random() * (MAX_MS - MIN_MS);
}
