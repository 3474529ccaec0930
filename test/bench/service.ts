import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateKey } from '@trifold/platform/api-keys/key-material.ts';

/** A standalone service in a process of its own, with temporary data. */
export class ServiceUnderTest {
  readonly url: URL;
  readonly key: string;
  /** Milliseconds from the start of the command to the line that says ready. */
  readonly readyAfter: number;
  readonly #child: ChildProcess;
  readonly #data: string;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

  private constructor(started: {
    url: URL;
    key: string;
    readyAfter: number;
    child: ChildProcess;
    data: string;
  }) {
    this.url = started.url;
    this.key = started.key;
    this.readyAfter = started.readyAfter;
    this.#child = started.child;
    this.#data = started.data;
  }

  static async start(command: readonly [string, ...string[]]): Promise<ServiceUnderTest> {
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
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await readyAt(child);
    return new ServiceUnderTest({ url, key, readyAfter: performance.now() - begun, child, data });
  }

  /** Sends a JSON request over a kept connection and answers with the parsed body. Rejects on any status ≥ 300. */
  async call<T>(method: string, target: string, body?: object | string): Promise<T> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const request = http.request(new URL(target, this.url), {
      method,
      agent: this.#agent,
      headers: {
        authorization: `Bearer ${this.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload ?? ''),
      },
    });
    request.end(payload);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += String(piece);
    if ((response.statusCode ?? 500) >= 300)
      throw new Error(`${target} answered ${response.statusCode}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Resident memory of the Node process in bytes. */
  async residentBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    await rm(this.#data, { recursive: true, force: true });
  }
}

function readyAt(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
      const address = /ready at (\S+)/.exec(printed)?.[1];
      if (address) resolve(new URL(address));
    });
    child.once('exit', () => reject(new Error(`the service ended before it was ready:\n${printed}`)));
  });
}
