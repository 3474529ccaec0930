import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../eventually.ts';
import { findProgram } from './find-program.ts';
import { isPortTaken, onFreePorts } from './free-ports.ts';
import { OwnedProcess } from './owned-process.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

const START_DEADLINE_MS = 30_000;
/** Maximum time to wait for its port if another process has taken it. */
const PORT_BACK_MS = 30_000;
const COMMAND_DEADLINE_MS = 10_000;

export interface RedisServerOptions {
  /** Whether data survives a kill and restart; each write is on disk before the response. @default false */
  readonly appendOnly?: boolean;
  /** Password of the user `default`. @default none */
  readonly password?: string;
  /** Additional user, as in a `user` line of the configuration: `name on >password ~keys +command`. */
  readonly user?: string;
  /** Additional configuration lines, such as `maxmemory-policy allkeys-lru`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs it as a Sentinel with these lines, such as `monitor name 127.0.0.1 6379 2`, each without `sentinel`. */
  readonly sentinel?: readonly string[];
}

/** Returns the redis-server for tests: the one in TRIFOLD_TEST_REDIS, or one on PATH. */
export function redisProgram(env = process.env): string | undefined {
  return findProgram('TRIFOLD_TEST_REDIS', 'redis-server', env);
}

/**
 * Returns the reason that tests with a real Redis cannot run here; undefined if they can. Always undefined in CI, where
 * a missing program is a failure.
 */
export function whyNoRedis(env = process.env): string | undefined {
  if (redisProgram(env) !== undefined || env['CI']) return undefined;
  return 'there is no redis-server on PATH and TRIFOLD_TEST_REDIS names none';
}

/** A redis-server on a separate port that ends with this process. */
export class RedisServer {
  readonly port: number;
  readonly #program: string;
  readonly #folder: string;
  readonly #options: RedisServerOptions;
  #process: OwnedProcess | undefined;

  private constructor(program: string, folder: string, port: number, options: RedisServerOptions) {
    this.#program = program;
    this.#folder = folder;
    this.port = port;
    this.#options = options;
  }

  /** Resolves when it responds. */
  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const program = redisProgram();
    if (program === undefined) {
      throw new Error('set TRIFOLD_TEST_REDIS to a redis-server, or put one on PATH (see docs/testing.md)');
    }
    return onFreePorts(1, async ([port = 0]) => {
      const folder = await temporaryDirectory();
      const server = new RedisServer(program, folder, port, options);
      await server.#startWithin(0);
      return server;
    });
  }

  /** Value for TRIFOLD_REDIS_URL. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Restarts the server on the same port after `kill`, with its persisted data if it is `appendOnly`. */
  async start(): Promise<void> {
    await this.#startWithin(PORT_BACK_MS);
  }

  /** Retries the start while another process uses its port. Removes its data if it does not start. */
  async #startWithin(portBackMs: number): Promise<void> {
    const deadline = Date.now() + portBackMs;
    for (;;) {
      try {
        await this.#launch();
        return;
      } catch (error) {
        if (isPortTaken(error) && Date.now() < deadline) continue;
        await this.stop();
        throw error;
      }
    }
  }

  async #launch(): Promise<void> {
    const running = new OwnedProcess('redis-server', this.#program, await this.#args());
    this.#process = running;
    const options = { timeoutMs: START_DEADLINE_MS, giveUp: () => running.failure };
    try {
      await eventually(async () => (await this.command('PING')) === 'PONG', options);
    } catch (cause) {
      await this.kill();
      throw new Error(`redis-server did not start\n${running.output}`, { cause });
    }
  }

  async #args(): Promise<string[]> {
    const { appendOnly, password, user, settings, sentinel } = this.#options;
    const common = {
      bind: '127.0.0.1',
      port: String(this.port),
      dir: this.#folder,
      ...(password === undefined ? {} : { requirepass: password }),
      ...settings,
    };
    if (sentinel) {
      // A Sentinel writes what it learns to its configuration file.
      const file = join(this.#folder, 'sentinel.conf');
      const lines = Object.entries(common).map((line) => line.join(' '));
      await writeFile(file, [...lines, ...sentinel.map((line) => `sentinel ${line}`), ''].join('\n'));
      return [file, '--sentinel'];
    }
    const flags = { save: '', appendonly: appendOnly ? 'yes' : 'no', appendfsync: 'always', ...common };
    const users = user === undefined ? [] : ['--user', ...user.split(' ')];
    return [...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]), ...users];
  }

  /** Sends one command as typed in redis-cli; resolves with the reply as text or rejects with the error. */
  async command(line: string): Promise<string> {
    const { password } = this.#options;
    const client = new Redis({
      host: '127.0.0.1',
      port: this.port,
      ...(password !== undefined && { password }),
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
      commandTimeout: COMMAND_DEADLINE_MS,
    });
    client.on('error', () => undefined);
    const [name = '', ...words] = line.split(' ');
    try {
      await client.connect();
      return String(await client.call(name, ...words));
    } finally {
      client.disconnect();
    }
  }

  /** Deletes all data, as an operator's mistake could. */
  async flushAll(): Promise<void> {
    await this.command('FLUSHALL');
  }

  /** Pauses the process: connections stay open without replies. */
  pause(): void {
    this.#process?.signal('SIGSTOP');
  }

  resume(): void {
    this.#process?.signal('SIGCONT');
  }

  /** Kills the server as a crash would: nothing more is persisted. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    this.#process = undefined;
  }

  /** Stops it and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    await removeDirectory(this.#folder);
  }
}
