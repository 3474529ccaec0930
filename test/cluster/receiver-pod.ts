import { builtImages } from '../support/kubernetes/cluster.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubernetes/kubectl.ts';
import { restrictedPod } from './restricted-pod.ts';

const NAMESPACE = 'receivers';
const NAME = 'receiver';
const PORT = 8080;

/** Logs each request on one line. */
const SERVER = `
  require('http').createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    let payload = '';
    for await (const chunk of request) payload += chunk;
    if (method === 'POST') console.log(JSON.stringify({ path, headers, payload }));
    response.writeHead(204).end();
  }).listen(${PORT})`;

/** Values of the chart that allow webhooks to receivers in the cluster, which are called without TLS. */
export const RECEIVERS_IN_CLUSTER = { allowAddresses: ['10.0.0.0/8'], allowHttp: true };

/** A request to the receiver. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** A webhook receiver in the cluster: a pod behind a Service. */
export class ReceiverPod {
  readonly #kubectl: Kubectl;

  private constructor(kubectl: Kubectl) {
    this.#kubectl = kubectl;
  }

  static async start(kubectl: Kubectl): Promise<ReceiverPod> {
    const image = builtImages().find((name) => name.includes('trifold-gateway')) ?? '';
    const readiness = { readinessProbe: { httpGet: { path: '/', port: PORT }, periodSeconds: 1 } };
    const pod = { name: NAME, image, command: ['node', '-e', SERVER], container: readiness };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: NAME },
      spec: { selector: { app: NAME }, ports: [{ port: PORT }] },
    };
    await kubectl.ok(['create', 'namespace', NAMESPACE]);
    for (const stdin of [restrictedPod(pod), JSON.stringify(service)]) {
      await kubectl.ok(['apply', '--namespace', NAMESPACE, '--filename', '-'], { stdin });
    }
    const ready = ['--for=condition=Ready', '--timeout=60s'];
    await kubectl.ok(['wait', `pod/${NAME}`, '--namespace', NAMESPACE, ...ready]);
    return new ReceiverPod(kubectl);
  }

  /** URL of the receiver inside the cluster. */
  url(path: string): string {
    return `http://${NAME}.${NAMESPACE}.svc.cluster.local:${PORT}${path}`;
  }

  /** Returns the requests to a path, oldest first. */
  async received(path: string): Promise<Received[]> {
    const log = await this.#kubectl.ok(['logs', NAME, '--namespace', NAMESPACE]);
    const lines = log.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Received).filter((one) => one.path === path);
  }

  /** Waits until the receiver has `count` requests to a path. */
  async expect(path: string, count: number): Promise<Received[]> {
    const look = async () => {
      const received = await this.received(path);
      return received.length >= count && received;
    };
    return eventually(look, { timeoutMs: 90_000, intervalMs: 500 });
  }

  async stop(): Promise<void> {
    await this.#kubectl.ok(['delete', 'namespace', NAMESPACE, '--wait=false']);
  }
}
