import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { generateKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { Api } from './api.ts';
import { eventually } from './eventually.ts';
import { OwnedProcess, type ProcessEnd } from './processes/owned-process.ts';
import type { Constants } from './processes/with-constants.ts';
import { descendantsOf, type ProcessIdentity } from './processes/process-tree.ts';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

const READY_DEADLINE_MS = 60_000;

export interface ServiceKeys {
  readonly live: string;
  readonly test: string;
}

export interface ServiceOptions {
  /** Data directory; the caller removes it. */
  readonly data: string;
  /** Preset keys; if absent, the service generates keys. */
  readonly keys?: ServiceKeys;
  /** Added to a service's default variables; undefined removes one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Constants to replace in the service. @default constants with which usage appears quickly */
  readonly constants?: Constants;
  /** Command that runs the service in the root of the repository. @default node standalone/main.ts, with `constants` */
  readonly command?: readonly [string, ...string[]];
}

export function inventKeys(): ServiceKeys {
  return { live: generateKey('live'), test: generateKey('test') };
}

/** Creates a temporary directory. */
export async function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'trifold-test-'));
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the environment for a service under test: it takes only the browser from this process's settings. */
export function serviceEnvironment({ data, keys, environment }: ServiceOptions): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, TRIFOLD_BROWSER } = process.env;
  return {
    PATH,
    HOME,
    TMPDIR,
    LANG,
    TRIFOLD_BROWSER,
    TRIFOLD_DATA: data,
    TRIFOLD_PORT: '0',
    TRIFOLD_LOG_LEVEL: 'info',
    ...(keys && { TRIFOLD_LIVE_KEY: keys.live, TRIFOLD_TEST_KEY: keys.test }),
    ...environment,
  };
}

/** Returns the command that runs the file with other constants. */
export function withConstants(constants: Constants, file: string): [string, ...string[]] {
  return [process.execPath, 'test/support/processes/with-constants.ts', JSON.stringify(constants), file];
}

/** Runs a standalone service as a user or script would. It cannot outlive this process. */
export class ServiceProcess extends OwnedProcess {
  readonly data: string;
  readonly #keys: ServiceKeys | undefined;
  #url: string | undefined;

  constructor(options: ServiceOptions) {
    const { data, keys, constants } = options;
    const { command = withConstants({ usageIntervalMs: 500, ...constants }, 'standalone/main.ts') } = options;
    super('the service', command[0], command.slice(1), { cwd: REPOSITORY, env: serviceEnvironment(options) });
    this.data = data;
    this.#keys = keys;
  }

  get kubeconfig(): string {
    return join(this.data, 'kubeconfig');
  }

  /** Client for its control plane, with full access. */
  get kubernetes(): KubernetesClient {
    return new KubernetesClient(new HttpTransport(loadKubeConfig({ kubeconfig: this.kubeconfig })));
  }

  /** Base URL that the service printed when it was ready. */
  get url(): string {
    this.#url ??= /^Trifold is ready at (\S+)$/m.exec(this.stdout)?.[1];
    if (this.#url === undefined) throw new Error(`the service has not said that it is ready\n${this.output}`);
    return this.#url;
  }

  /** Client with the preset live key. */
  get live(): Api {
    return new Api(this.url, this.#keys?.live);
  }

  /** Client with the preset test key. */
  get test(): Api {
    return new Api(this.url, this.#keys?.test);
  }

  /** Returns browsers and all other running descendants of the service. */
  get children(): ProcessIdentity[] {
    return descendantsOf(this.pid);
  }

  /** Resolves when the service reports that it is ready; rejects if it exits first or on timeout. */
  async ready(timeoutMs = READY_DEADLINE_MS): Promise<this> {
    try {
      await eventually(() => this.url, { timeoutMs, giveUp: () => this.failure });
      return this;
    } catch (cause) {
      throw new Error(`the service did not start\n${this.output}`, { cause });
    }
  }

  override stop(timeoutMs = 15_000): Promise<ProcessEnd> {
    return super.stop(timeoutMs);
  }
}
