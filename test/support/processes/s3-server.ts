import { randomBytes } from 'node:crypto';
import { eventually } from '../eventually.ts';
import { OwnedProcess } from './owned-process.ts';

const START_DEADLINE_MS = 60_000;

/** A running S3 server, initially empty. */
export interface S3Server {
  /** Object store settings for this server; the bucket is the default one. */
  readonly environment: {
    readonly TRIFOLD_S3_ENDPOINT: string;
    readonly TRIFOLD_S3_ACCESS_KEY: string;
    readonly TRIFOLD_S3_SECRET_KEY: string;
  };
  /** Ends the server and removes its temporary directory. */
  stop(): Promise<void>;
}

export interface S3ServerOptions {
  /** The server's name in error messages. */
  readonly name: string;
  /** Host and port on which it listens. */
  readonly address: string;
  /** Variables and command, for `env`. Receives new keys. */
  readonly command: (accessKey: string, secretKey: string) => readonly string[];
  readonly isReady: () => Promise<boolean>;
  /** Removes its files at the end. */
  readonly remove: () => Promise<void>;
}

/** Starts a server and resolves when it is ready. */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const { name, address, command, isReady, remove } = options;
  const accessKey = randomBytes(8).toString('hex');
  const secretKey = randomBytes(16).toString('hex');
  const server = new OwnedProcess(name, 'env', command(accessKey, secretKey));
  const stop = async () => {
    await server.kill();
    await remove();
  };
  try {
    await eventually(isReady, { timeoutMs: START_DEADLINE_MS, giveUp: () => server.failure });
  } catch (cause) {
    await stop();
    throw new Error(`${name} did not start: ${(cause as Error).message}\n${server.output}`, { cause });
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
