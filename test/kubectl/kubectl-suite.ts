import { afterAll, beforeAll, describe } from 'vitest';
import { findKubectl, Kubectl } from '../support/kubernetes/kubectl.ts';
import { describeReading } from './reading.ts';
import { Session } from './session.ts';
import { describeWriting } from './writing.ts';

/** A server for kubectl. */
export interface KubectlTarget {
  /** Content of the kubeconfig. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const program = await findKubectl();

/** Returns the reason that the suite cannot run here. Always undefined in CI, where a missing kubectl is a failure. */
export function whyNoKubectl(): string | undefined {
  if (program !== undefined || process.env['CI']) return undefined;
  return 'there is no kubectl ≥ 1.31 on PATH and TRIFOLD_TEST_KUBECTL names none';
}

/** Tests a server with the real kubectl, each test in a separate namespace. `more` adds tests. */
export function describeKubectl(
  start: () => Promise<KubectlTarget>,
  more?: (session: () => Promise<Session>) => void,
): void {
  let target: KubectlTarget | undefined;
  let kubectl: Kubectl | undefined;
  let namespaces = 0;

  beforeAll(async () => {
    if (program === undefined) throw new Error('set TRIFOLD_TEST_KUBECTL to a kubectl, or put one on PATH');
    target = await start();
    kubectl = await Kubectl.make(program, target.kubeconfig);
  });
  afterAll(async () => {
    await kubectl?.remove();
    await target?.stop();
  });

  const session = async () => {
    if (!kubectl) throw new Error('the server is not running');
    const namespace = `kubectl-${++namespaces}`;
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kubectl.ok(['create', '-f', '-'], { stdin: manifest });
    return new Session(kubectl, namespace);
  };

  describe('Read commands', () => describeReading(session));
  describe('Write commands', () => describeWriting(session));
  more?.(session);
}
