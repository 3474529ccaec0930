import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from './installation.ts';
import { NetworkTargets, OUTSIDER, targetsBeyond, type Targets } from './network-targets.ts';
import { NAMESPACE } from './release.ts';

/** Namespace without policies. */
const OUTSIDE = 'outside';
/** Network plugins apply a policy some time after the pod has started. */
const ENFORCED_MS = 90_000;

/** Connects to each `address:port` and prints the results, one line each. Denied packets may be dropped. */
const CONNECT = `
  for target; do
    if timeout 5 bash -c "exec 3<>/dev/tcp/\${target%:*}/\${target##*:}" 2>/dev/null; then echo open; else echo closed; fi
  done`;

const installation = await Installation.connect();
const network = await NetworkTargets.start(installation, OUTSIDE);
afterAll(() => network.stop());

/** Waits until, of the targets in `among`, exactly those in `open` respond to the pod. */
async function expectOpen(
  { namespace = NAMESPACE, pod }: { namespace?: string; pod: string },
  open: readonly string[],
  among: Targets,
): Promise<void> {
  const connect = ['bash', '-c', CONNECT, 'connect', ...Object.values(among)];
  const look = async () => {
    const lines = await installation.kubectl.ok(['exec', '--namespace', namespace, pod, '--', ...connect]);
    const results = lines.trim().split('\n');
    expect(Object.keys(among).filter((_, index) => results[index] === 'open')).toEqual(open);
  };
  await eventually(look, { timeoutMs: ENFORCED_MS, intervalMs: 1000 });
}

describe('Enforced NetworkPolicies', () => {
  it('block everything from other pods except access to the API and the metrics', async () => {
    const closed = ['renderer (previews)', 'redis (pod)', 'redis (Service)', 'minio (pod)'];
    const open = Object.keys(network.targets).filter((name) => !closed.includes(name));
    await expectOpen({ namespace: OUTSIDE, pod: OUTSIDER }, open, network.targets);
  });

  // attackers-view.test.ts covers the gateway, the controller and the renderer.
  it('block all connections from Redis', async () => {
    const [pod] = await installation.pods('redis');
    await expectOpen({ pod: pod!.name }, [], targetsBeyond('redis', network.targets));
  });
});
