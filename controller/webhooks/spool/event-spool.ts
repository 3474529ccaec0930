import type { Draft, WebhookDelivery } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  encodeSpooled,
  SPOOL_PREFIX,
  spoolKey,
  spoolOf,
  spoolPrefix,
  type SpoolAddress,
} from './spooled-event.ts';

export interface EventSpoolOptions {
  readonly store: Pick<ObjectStore, 'put' | 'list' | 'delete'>;
  /** Told when a spool was begun, got something more, or came to its end. */
  readonly onChange: (address: SpoolAddress) => void;
}

/** A spool that holds something, or may. */
interface OpenSpool extends SpoolAddress {
  /** Objects in it; undefined until they were counted. */
  count: number | undefined;
  /** Puts that began, and that ended. */
  begun: number;
  ended: number;
}

/**
 * Events that wait in the object store because too many wait for their destination already. The objects are the truth; what
 * is kept here is which destinations have any. While one has, later events to it go behind them.
 */
export class EventSpool {
  readonly #options: EventSpoolOptions;
  readonly #open = new Map<string, OpenSpool>();
  /** Keys that are being read or deleted. */
  readonly #held = new Set<string>();
  #isKnown = false;

  constructor(options: EventSpoolOptions) {
    this.#options = options;
  }

  /** Whether later events to the destination have to go behind spooled ones. */
  isOpen(destination: string): boolean {
    return this.#open.has(destination);
  }

  /** Spooled events of a destination, as far as they were counted. */
  countOf(destination: string): number {
    return this.#open.get(destination)?.count ?? 0;
  }

  /** Spooled events of all destinations. */
  get total(): number {
    return this.all().reduce((sum, { destination }) => sum + this.countOf(destination), 0);
  }

  /** Every spool that holds something, or may. */
  all(): SpoolAddress[] {
    return [...this.#open.values()];
  }

  /**
   * Puts the delivery behind what is spooled for its destination; doing it again does nothing. Rejects with
   * ObjectStoreError.
   */
  async put(draft: Draft<WebhookDelivery>): Promise<void> {
    const address = spoolOf(draft);
    // Before the put, so that none overtakes it.
    const spool = this.#openAt(address);
    spool.begun += 1;
    try {
      const options = { contentType: 'application/json', ifAbsent: true };
      const { created } = await this.#options.store.put(
        spoolKey(address, draft),
        encodeSpooled(draft),
        options,
      );
      if (created && spool.count !== undefined) spool.count += 1;
    } finally {
      spool.ended += 1;
      this.#options.onChange(address);
    }
  }

  /** Finds the spools that others began, or this process before it was started again. */
  async discover(): Promise<void> {
    const { store } = this.#options;
    const accounts = await store.list(SPOOL_PREFIX, { delimiter: '/' });
    for (const account of accounts.prefixes) {
      const destinations = await store.list(account, { delimiter: '/' });
      for (const prefix of destinations.prefixes) {
        const [, name = '', destination = ''] = prefix.split('/');
        this.#openAt({ account: name, destination });
      }
    }
    this.#isKnown = true;
  }

  /** Counts what is in a spool that was found, once. */
  async count(address: SpoolAddress): Promise<void> {
    const spool = this.#open.get(address.destination);
    if (!spool || spool.count !== undefined) return;
    const { objects } = await this.#options.store.list(spoolPrefix(address));
    spool.count = objects.length;
  }

  /**
   * Runs `look`, which lists the spool, and forgets the spool if it was found empty and nothing came meanwhile.
   * Answers whether it is empty.
   */
  async closeIfEmpty({ destination }: SpoolAddress, look: () => Promise<boolean>): Promise<boolean> {
    const spool = this.#open.get(destination);
    const begun = spool?.begun;
    const isQuiet = spool !== undefined && spool.begun === spool.ended;
    const isEmpty = await look();
    if (isEmpty && isQuiet && spool.begun === begun) this.#open.delete(destination);
    return isEmpty;
  }

  /**
   * Takes one out: `make` has what it holds made into a delivery before it is deleted. False, and nothing done, while
   * somebody else has it; false as well when nothing could be made of it.
   */
  async take(address: SpoolAddress, key: string, make: () => Promise<boolean>): Promise<boolean> {
    let isTaken = false;
    await this.#holding(key, async () => {
      if (!(await make())) return;
      await this.#options.store.delete(key);
      this.discount(address, 1);
      isTaken = true;
    });
    return isTaken;
  }

  /** So many were deleted. */
  discount({ destination }: SpoolAddress, deleted: number): void {
    const spool = this.#open.get(destination);
    if (spool?.count !== undefined) spool.count = Math.max(0, spool.count - deleted);
  }

  /**
   * Runs `remove`, which deletes the delivery, once nothing is spooled any more of which it would be made anew: a crash
   * between making it and deleting what it was made of leaves that behind. False, and nothing done, while it is in hand.
   */
  async outlive(delivery: WebhookDelivery, remove: () => Promise<void>): Promise<boolean> {
    const address = spoolOf(delivery);
    if (this.#isKnown && !this.isOpen(address.destination)) {
      await remove();
      return true;
    }
    const key = spoolKey(address, delivery);
    return this.#holding(key, async () => {
      await this.#options.store.delete(key);
      await remove();
    });
  }

  async #holding(key: string, run: () => Promise<void>): Promise<boolean> {
    if (this.#held.has(key)) return false;
    this.#held.add(key);
    try {
      await run();
      return true;
    } finally {
      this.#held.delete(key);
    }
  }

  #openAt({ account, destination }: SpoolAddress): OpenSpool {
    const known = this.#open.get(destination);
    if (known) return known;
    const count = this.#isKnown ? 0 : undefined;
    const spool = { account, destination, count, begun: 0, ended: 0 };
    this.#open.set(destination, spool);
    return spool;
  }
}
