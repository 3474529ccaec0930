import { findProgram } from './find-program.ts';
import { onFreePorts } from './free-ports.ts';
import { startS3Server, type S3Server } from './s3-server.ts';
import { removeDirectory, temporaryDirectory } from '../service.ts';

const ANSWER_DEADLINE_MS = 5_000;

/** Returns the program named by TRIFOLD_TEST_MINIO, or else `minio` on PATH; undefined if there is none. */
export function minioProgram(env = process.env): string | undefined {
  return findProgram('TRIFOLD_TEST_MINIO', 'minio', env);
}

export interface MinioOptions {
  /** Additional environment variables for the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Directory for the server's data, which must exist. @default a temporary one, removed at the end */
  readonly directory?: string;
}

/** Starts the server on a free port, with new keys, and resolves when it is serving. */
export async function startMinio(options: MinioOptions = {}): Promise<S3Server> {
  const program = minioProgram();
  if (!program)
    throw new Error('set TRIFOLD_TEST_MINIO to a MinIO server to test against (.ci/minio builds one)');
  return onFreePorts(1, ([port = 0]) => startAt(program, port, options));
}

async function startAt(program: string, port: number, options: MinioOptions): Promise<S3Server> {
  const { settings = {}, directory } = options;
  const folder = directory ?? (await temporaryDirectory());
  const address = `127.0.0.1:${port}`;
  return startS3Server({
    name: 'MinIO',
    address,
    command: (accessKey, secretKey) => [
      `MINIO_ROOT_USER=${accessKey}`,
      `MINIO_ROOT_PASSWORD=${secretKey}`,
      'MINIO_BROWSER=off',
      'MINIO_UPDATE=off',
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      program,
      'server',
      '--quiet',
      `--address=${address}`,
      folder,
    ],
    isReady: async () => {
      const signal = AbortSignal.timeout(ANSWER_DEADLINE_MS);
      if (!(await fetch(`http://${address}/minio/health/ready`, { signal })).ok) return false;
      // The health check can pass before requests are served: requests without a key get 503 until then, and 403
      // afterwards.
      return (await fetch(`http://${address}/`, { signal })).status === 403;
    },
    remove: async () => {
      if (directory === undefined) await removeDirectory(folder);
    },
  });
}
