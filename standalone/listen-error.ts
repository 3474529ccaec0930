import { SetupError } from '@trifold/platform/errors/trifold-error.ts';

/** Address of a listener, and the variable that sets it. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Environment variable for the port. */
  readonly variable: 'TRIFOLD_PORT' | 'TRIFOLD_KUBE_PORT';
}

/** Waits for a listener. Rejects with SetupError when the operating system rejects the address. */
export async function listening<T>(address: ListenAddress, listener: PromiseLike<T>): Promise<T> {
  try {
    return await listener;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
    throw new SetupError(problem(address, code ?? 'unknown'), error);
  }
}

function problem({ host, port, variable }: ListenAddress, code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is already in use: set ${variable} to another port, or to 0 for a free one`;
    case 'EACCES':
      return `this user cannot listen on port ${port}: set ${variable} to a port above 1023`;
    default:
      return `TRIFOLD_HOST is ${JSON.stringify(host)}, which is not an address of this machine (${code}): set it to 127.0.0.1 for this machine only, or to :: for all of its networks`;
  }
}
