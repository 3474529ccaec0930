import { createSocket, type Socket } from 'node:dgram';

const TYPE_A = 1;
/** Query type for IPv6 addresses. */
export const TYPE_AAAA = 28;
const NXDOMAIN = 3;

/** A name server with some IPv4 addresses; it returns REFUSED for unknown names. */
export class NameServer {
  readonly #socket: Socket = createSocket('udp4');
  readonly known = new Map<string, readonly string[] | 'silent'>();
  /** Pending responses for silent names. */
  readonly #unanswered: (() => void)[] = [];
  /** Query types that get no response. */
  readonly dropped = new Set<number>();

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async listen(): Promise<void> {
    this.#socket.on('message', (query, { port, address }) => {
      const tell = () => {
        const answer = this.#answer(query);
        if (answer) this.#socket.send(answer, port, address);
        else this.#unanswered.push(tell);
      };
      tell();
    });
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve));
  }

  /** From now on, also responds for silent names. */
  speak(addresses: readonly string[]): void {
    for (const [name, known] of this.known) if (known === 'silent') this.known.set(name, addresses);
    for (const tell of this.#unanswered.splice(0)) tell();
  }

  close(): void {
    this.#socket.close();
  }

  #answer(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(12, at + 5);
    const found = this.known.get(labels.join('.').toLowerCase());
    if (found === 'silent' || this.dropped.has(type)) return undefined;
    const addresses = found && type === TYPE_A ? found : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found ? 0 : NXDOMAIN), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((address) =>
      Buffer.concat([
        Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4]),
        Buffer.from(address.split('.').map(Number)),
      ]),
    );
    return Buffer.concat([header, question, ...records]);
  }
}
