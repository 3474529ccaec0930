import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { BenchClient } from '../workload/bench-client.ts';

interface Started {
  readonly client: BenchClient;
  readonly readyAfter: number;
  readonly child: ChildProcess;
  readonly data: string;
}

/** A standalone service in its own process, with temporary data. */
export class StandaloneService {
  readonly client: BenchClient;
  /** Milliseconds from the start of the command to its ready message. */
  readonly readyAfter: number;
  readonly #child: ChildProcess;
  readonly #data: string;

  private constructor({ client, readyAfter, child, data }: Started) {
    this.client = client;
    this.readyAfter = readyAfter;
    this.#child = child;
    this.#data = data;
  }

  /** `environment` is added to the default environment of the command. @default the command of `npm start`, without npm */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    command: readonly [string, ...string[]] = [process.execPath, ...startArguments()],
  ): Promise<StandaloneService> {
    const data = await mkdtemp(path.join(tmpdir(), 'trifold-bench-'));
    const key = generateKey('live');
    const begun = performance.now();
    const child = spawn(command[0], command.slice(1), {
      env: {
        ...process.env,
        TRIFOLD_DATA: data,
        TRIFOLD_PORT: '0',
        TRIFOLD_LIVE_KEY: key,
        TRIFOLD_LOG_LEVEL: 'warn',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await readyAt(child);
    const readyAfter = performance.now() - begun;
    return new StandaloneService({ client: new BenchClient(url, key), readyAfter, child, data });
  }

  /** Path of the kubeconfig of its control plane. */
  get kubeconfig(): string {
    return path.join(this.#data, 'kubeconfig');
  }

  /** Resident memory of the Node process in bytes. */
  async residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  async stop(): Promise<void> {
    this.client.close();
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    await rm(this.#data, { recursive: true, force: true });
  }
}

/** Returns the arguments of Node in `npm start`. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(2);
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
      const address = /ready at (\S+)/.exec(printed)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`the service ended before it was ready:\n${printed}`)));
  });
}
