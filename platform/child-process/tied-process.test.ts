import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFailed } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { tiedNode } from './tied-process.ts';

const POOL = JSON.stringify(join(import.meta.dirname, 'bounded-pool.ts'));
const WORKER = JSON.stringify(join(import.meta.dirname, 'testing', 'worker.ts'));

/** Starts a child process and prints its process ID. */
const PARENT = `
  import { BoundedPool } from ${POOL};
  import { pathToFileURL } from 'node:url';
  setInterval(() => undefined, 1000);
  const pool = new BoundedPool({ entry: pathToFileURL(${WORKER}), workers: 1, timeoutMs: 600_000, memoryMib: 64 });
  const turn = { signal: new AbortController().signal, account: 'acme' };
  const { pid } = await pool.run((child) => child.ask({ does: 'answer', timeoutMs: 600_000 }), turn);
  console.log(pid);`;

it.skipIf(tiedNode([]).args.length === 0)(
  'ends a process that cannot respond when its parent is killed',
  async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const pid = Number(line);
    // A stopped process does not see that the parent has disconnected.
    process.kill(pid, 'SIGSTOP');
    onTestFailed(() => void process.kill(pid, 'SIGKILL'));
    parent.kill('SIGKILL');
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeoutMs: 10_000 });
  },
);
