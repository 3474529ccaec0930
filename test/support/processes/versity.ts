import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { onFreePorts } from './free-ports.ts';
import { LeashedProcess } from './leashed-process.ts';
import type { Minio } from './minio.ts';

const START_DEADLINE_MS = 60_000;

/** Returns the program named by TRIFOLD_TEST_VERSITY; undefined if there is none. */
export function versityProgram(env = process.env): string | undefined {
  return env['TRIFOLD_TEST_VERSITY'];
}

/** Starts the Versity S3 Gateway over an empty folder, on a free port and with new keys. Resolves when it serves. */
export async function startVersityGateway(): Promise<Minio> {
  const program = versityProgram();
  if (!program) throw new Error('set TRIFOLD_TEST_VERSITY to a versitygw (.ci/versity builds one)');
  return onFreePorts(1, ([port = 0]) => startAt(program, port));
}

async function startAt(program: string, port: number): Promise<Minio> {
  const folder = await mkdtemp(join(tmpdir(), 'trifold-versity-'));
  for (const name of ['objects', 'metadata']) await mkdir(join(folder, name));
  const accessKey = randomBytes(8).toString('hex');
  const secretKey = randomBytes(16).toString('hex');
  const address = `127.0.0.1:${port}`;
  const server = new LeashedProcess('versitygw', 'env', [
    `ROOT_ACCESS_KEY=${accessKey}`,
    `ROOT_SECRET_KEY=${secretKey}`,
    program,
    '--port',
    address,
    '--quiet',
    'posix',
    '--sidecar',
    join(folder, 'metadata'),
    join(folder, 'objects'),
  ]);
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const waiting = { timeoutMs: START_DEADLINE_MS, giveUp: () => server.failure };
    await eventually(async () => (await fetch(`http://${address}/`)).status === 403, waiting);
  } catch (cause) {
    await stop();
    throw new Error(`versitygw did not start: ${(cause as Error).message}\n${server.log}`, { cause });
  }
  return {
    environment: {
      TRIFOLD_S3_ENDPOINT: `http://${address}`,
      TRIFOLD_S3_ACCESS_KEY: accessKey,
      TRIFOLD_S3_SECRET_KEY: secretKey,
    },
    stop,
  };
}
