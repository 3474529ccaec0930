import { CUSTOM_KINDS } from '@trifold/crds';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import {
  LeaderElection,
  type LeaderElectionTiming,
} from '@trifold/platform/kubernetes/election/leader-election.ts';
import { LEASE, type Lease } from '@trifold/platform/kubernetes/election/leader-lease.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { kubeApiServerPrograms, startKubeApiServer } from '../support/kubernetes/kube-apiserver.ts';

const logger = createLogger({ level: process.env['TRIFOLD_TEST_LOG'] ?? 'silent', name: 'test' });
/** The proportions of the default timing, five times as fast. */
const FAST = { leaseMs: 2_000, renewDeadlineMs: 1_400, retryMs: 400 };
/** For a server in its own process, which may be slow to answer on a busy machine. */
const PATIENT = { leaseMs: 10_000, renewDeadlineMs: 7_000, retryMs: 1_000 };

interface Target {
  readonly transport: ApiTransport;
  readonly timing: LeaderElectionTiming;
  readonly stop: () => Promise<void>;
}

async function realApiServer(): Promise<Target> {
  const server = await startKubeApiServer();
  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
  const stop = async () => {
    transport.close();
    await server.stop();
  };
  return { transport, timing: PATIENT, stop };
}

async function embeddedControlPlane(): Promise<Target> {
  const options = { file: ':memory:', kinds: CUSTOM_KINDS, clock: systemClock, logger };
  const plane = await EmbeddedControlPlane.open(options);
  return { transport: plane.transport, timing: FAST, stop: () => plane.close() };
}

class Candidate {
  readonly identity: string;
  readonly election: LeaderElection;
  /** Whether the connection to the API server is cut. */
  cut = false;
  lost: Error | undefined;

  constructor(identity: string, { transport, timing }: Target, name: string) {
    this.identity = identity;
    const cuttable: ApiTransport = {
      send: (request) => (this.cut ? Promise.reject(new Error('cut')) : transport.send(request)),
    };
    this.election = new LeaderElection({
      leases: new KubernetesClient(cuttable).builtin<Lease>(LEASE),
      namespace: 'default',
      name,
      identity,
      clock: systemClock,
      logger,
      timing,
      onElected: () => undefined,
      onLost: (reason) => (this.lost = reason),
    });
    this.election.start();
  }
}

const noApiServer = !kubeApiServerPrograms() && !process.env['CI'];
if (noApiServer) {
  console.warn('skipped: TRIFOLD_TEST_ETCD and TRIFOLD_TEST_KUBE_APISERVER name no real API server');
}

const targets = [
  { name: 'the embedded control plane', start: embeddedControlPlane, there: true },
  { name: 'a real API server', start: realApiServer, there: !noApiServer },
];

for (const { name, start, there } of targets) {
  describe.skipIf(!there)(`two candidates on ${name}`, () => {
    let target: Target;
    let candidates: Candidate[] = [];
    let lease = '';

    beforeAll(async () => {
      target = await start();
    });
    afterEach(async () => {
      await Promise.all(candidates.map(({ election }) => election.stop()));
      candidates = [];
    });
    afterAll(() => target?.stop());

    const leaders = () => candidates.filter(({ election }) => election.leading);
    const candidate = (identity: string) => {
      const made = new Candidate(identity, target, lease);
      candidates.push(made);
      return made;
    };
    const held = () => new KubernetesClient(target.transport).builtin<Lease>(LEASE).get('default', lease);
    const pair = async (): Promise<{ leader: Candidate; standby: Candidate }> => {
      lease = `lease-${crypto.randomUUID()}`;
      const [one, two] = [candidate('one'), candidate('two')];
      await eventually(() => leaders().length === 1);
      return one.election.leading ? { leader: one, standby: two } : { leader: two, standby: one };
    };

    it('elect one leader, and the other takes over at its next attempt after a clean stop', async () => {
      const { leader, standby } = await pair();
      const { spec } = await held();
      expect(spec).toMatchObject({ holderIdentity: leader.identity, leaseTransitions: 0 });
      await eventually(async () => (await held()).spec?.renewTime !== spec?.renewTime);
      expect((await held()).spec?.acquireTime).toBe(spec?.acquireTime);
      await leader.election.stop();
      // Released, and perhaps already acquired by the standby.
      expect(['', standby.identity]).toContain((await held()).spec?.holderIdentity ?? '');
      await eventually(() => standby.election.leading);
      expect((await held()).spec).toMatchObject({ holderIdentity: standby.identity, leaseTransitions: 1 });
    });

    it('never lead at the same time when the leader loses its connection temporarily', async () => {
      const { leader, standby } = await pair();
      leader.cut = true;
      let most = 0;
      await eventually(
        () => {
          most = Math.max(most, leaders().length);
          return standby.election.leading;
        },
        { intervalMs: 5 },
      );
      expect(most).toBeLessThanOrEqual(1);
      expect(leader.lost?.message).toContain('could not be renewed');
      leader.cut = false;
      await leader.election.stop();
      expect((await held()).spec?.holderIdentity).toBe(standby.identity);
    });
  });
}
