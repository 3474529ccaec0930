import type { Api } from '../support/api.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';

/** A request sent as raw bytes. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Content-Length, for a body that is sent only in part. @default the length of `body` */
  readonly announcedBytes?: number;
}

/** A connection whose client reads only the start of the response. */
export class UnreadConnection extends RawConnection {
  constructor({ url, key }: Api, request: RawRequest) {
    super(url);
    this.socket.once('data', () => this.socket.pause());
    const { method, path, body = '', announcedBytes = Buffer.byteLength(body) } = request;
    const headers = {
      Host: new URL(url).host,
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': announcedBytes,
      ...request.headers,
    };
    this.socket.write(requestHead(method, path, headers) + body);
  }

  /** Status and code of the response, such as `429 too_many_previews`, or `closed`; undefined until it arrives. */
  get outcome(): string | undefined {
    const [status] = this.statuses();
    if (status === undefined) return this.socket.closed ? 'closed' : undefined;
    const code = /"code":"(\w+)"/.exec(this.received())?.[1];
    return code === undefined ? String(status) : `${status} ${code}`;
  }

  close(): void {
    this.socket.destroy();
  }
}
