import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TrifoldClient } from '@trifold/client';
import { ServiceProcess } from './service-process.ts';
import { WebhookReceiver, type Webhooks } from './webhook-receiver.ts';

/** Options for `startTrifold`. */
export interface StartOptions {
  /**
   * Service settings, such as `TRIFOLD_BROWSER`, and other environment variables. The service inherits this
   * process's environment, except `NODE_OPTIONS`, `NODE_V8_COVERAGE` and all settings but `TRIFOLD_BROWSER`.
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Maximum time until the service is ready, in milliseconds. @default 60_000 */
  readonly timeoutMs?: number | undefined;
}

/** A running service. */
export interface StartedTrifold extends AsyncDisposable {
  /** URL of the HTTP API, for example `http://127.0.0.1:34567`. */
  readonly url: string;
  /** API keys of the service's first account, with all scopes. */
  readonly keys: { readonly live: string; readonly test: string };
  /** Client that uses the live key. */
  readonly client: TrifoldClient;
  /** Path of a kubeconfig file with full access to the service's resources. */
  readonly kubeconfig: string;
  /** Receives the account's events. */
  readonly webhooks: Webhooks;
  /** Stops the service and deletes its data. Further calls do nothing. */
  stop(): Promise<void>;
}

/**
 * Starts a service in a child process, with temporary data, on free ports. Several can run at the same time. Rejects
 * with the service's message and its last output if it does not start; in that case, nothing is left running.
 */
export async function startTrifold(options: StartOptions = {}): Promise<StartedTrifold> {
  return startCommand(installedCommand(), options);
}

/** Starts a service with the `trifold` command at this path. */
export async function startCommand(command: string, options: StartOptions = {}): Promise<StartedTrifold> {
  const keys = { live: inventKey('live'), test: inventKey('test') };
  const data = await mkdtemp(path.join(tmpdir(), 'trifold-'));
  /** In the order of their start. */
  const stops = [async () => rm(data, { recursive: true, force: true, maxRetries: 5 })];
  const stopAll = async () => {
    for (const stopPart of stops.toReversed()) await stopPart();
  };
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopAll());
  try {
    const receiver = await WebhookReceiver.start();
    stops.push(async () => receiver.stop());
    const service = new ServiceProcess(command, {
      ...inherited(process.env),
      TRIFOLD_DURABILITY: 'process',
      TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
      TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
      TRIFOLD_PORT: '0',
      TRIFOLD_KUBE_PORT: '0',
      ...options.env,
      TRIFOLD_DATA: data,
      TRIFOLD_LIVE_KEY: keys.live,
      TRIFOLD_TEST_KEY: keys.test,
    });
    stops.push(async () => service.stop());
    const url = await service.ready(options.timeoutMs ?? 60_000);
    const client = new TrifoldClient({ baseUrl: url, apiKey: keys.live });
    const { secret } = await client.webhooks.settings.set({ url: receiver.url });
    receiver.secret = secret ?? '';
    service.onUnexpectedEnd((error) => receiver.fail(error));
    const kubeconfig = path.join(data, 'kubeconfig');
    return { url, keys, client, kubeconfig, webhooks: receiver, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the path of the installed `trifold` command. */
function installedCommand(): string {
  const manifest = createRequire(import.meta.url).resolve('@trifold/cli/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { trifold: string } };
  return path.join(path.dirname(manifest), bin.trifold);
}

/** Options for Node and coverage are meant for the tests, and settings for other services. */
function inherited(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...others } = environment;
  const kept = ([name]: [string, unknown]) => name === 'TRIFOLD_BROWSER' || !name.startsWith('TRIFOLD_');
  return Object.fromEntries(Object.entries(others).filter(kept));
}

/** A key is `tf_live_` or `tf_test_`, followed by 43 letters and digits. */
function inventKey(mode: 'live' | 'test'): string {
  return `tf_${mode}_${randomBytes(22).toString('hex').slice(0, 43)}`;
}
