import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onFreePorts } from './free-ports.ts';
import { startS3Server, type S3Server } from './s3-server.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

/** Returns the program named by TRIFOLD_TEST_VERSITY; undefined if there is none. */
export function versityProgram(env = process.env): string | undefined {
  return env['TRIFOLD_TEST_VERSITY'];
}

/** Starts the Versity S3 Gateway on an empty folder, on a free port and with new keys. Resolves when it is serving. */
export async function startVersityGateway(): Promise<S3Server> {
  const program = versityProgram();
  if (!program) throw new Error('set TRIFOLD_TEST_VERSITY to a versitygw binary (.ci/versity builds one)');
  return onFreePorts(1, ([port = 0]) => startAt(program, port));
}

async function startAt(program: string, port: number): Promise<S3Server> {
  const folder = await temporaryDirectory();
  const [objects, metadata] = [join(folder, 'objects'), join(folder, 'metadata')];
  for (const one of [objects, metadata]) await mkdir(one);
  const address = `127.0.0.1:${port}`;
  return startS3Server({
    name: 'versitygw',
    address,
    command: (accessKey, secretKey) => [
      `ROOT_ACCESS_KEY=${accessKey}`,
      `ROOT_SECRET_KEY=${secretKey}`,
      program,
      '--port',
      address,
      '--quiet',
      'posix',
      '--sidecar',
      metadata,
      objects,
    ],
    isReady: async () => (await fetch(`http://${address}/`)).status === 403,
    remove: () => removeDirectory(folder),
  });
}
