/** A process for the pool's tests. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { serveParent, type BoundedRequest } from '../serve-parent.ts';

const ATTEMPTS: Readonly<Record<string, (path: string) => unknown>> = {
  read: (path) => readFileSync(path),
  write: (path) => writeFileSync(path, ''),
  start: (path) => spawnSync(path),
};

export interface WorkRequest extends BoundedRequest {
  readonly does: 'answer' | 'hang' | 'exit' | 'abort' | 'read' | 'write' | 'start';
  /** File to read, write or start. */
  readonly path?: string;
}

export interface WorkReply {
  readonly pid: number;
  /** Names of the process's environment variables. */
  readonly variables: readonly string[];
  /** Error code if `read`, `write` or `start` failed. */
  readonly error?: string | undefined;
}

serveParent(({ does, path = '' }: WorkRequest): WorkReply => {
  if (does === 'exit') process.exit(1);
  // Node does this when it runs out of memory.
  if (does === 'abort') process.abort();
  for (let isDone = does !== 'hang'; !isDone;) isDone = false;
  const error = errorOf(() => ATTEMPTS[does]?.(path));
  return { pid: process.pid, variables: Object.keys(process.env), error };
});

function errorOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
