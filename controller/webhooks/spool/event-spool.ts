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

/** A spool that holds events, or may hold some. */
interface OpenSpool extends SpoolAddress {
  /** Number of objects in it; undefined until counted. */
  count: number | undefined;
  /** Number of puts that began, and that ended. */
  begun: number;
  ended: number;
}

/**
 * Events that wait in the object store because too many deliveries to their destination are pending. The objects are
 * the source of truth; this class only remembers which destinations have any. While one has, later events to it go
 * behind them.
 */
export class EventSpool {
  readonly #store: Pick<ObjectStore, 'put' | 'list' | 'delete'>;
  readonly #onChange: (address: SpoolAddress) => void;
  readonly #open = new Map<string, OpenSpool>();
  /** Keys that are being read or deleted. */
  readonly #held = new Set<string>();
  #isKnown = false;

  /** `onChange` is called after each put to a spool, whether it succeeded or not. */
  constructor(
    store: Pick<ObjectStore, 'put' | 'list' | 'delete'>,
    onChange: (address: SpoolAddress) => void,
  ) {
    this.#store = store;
    this.#onChange = onChange;
  }

  /** Whether later events to the destination must go behind spooled ones. */
  isOpen(destination: string): boolean {
    return this.#open.has(destination);
  }

  /** Number of spooled events of a destination, as far as they are counted. */
  countOf(destination: string): number {
    return this.#open.get(destination)?.count ?? 0;
  }

  /** Number of spooled events of all destinations. */
  get total(): number {
    return this.all().reduce((sum, { destination }) => sum + this.countOf(destination), 0);
  }

  /** Returns every spool that holds events, or may hold some. */
  all(): SpoolAddress[] {
    return [...this.#open.values()];
  }

  /** Puts the delivery behind the spooled events of its destination; idempotent. Rejects with ObjectStoreError. */
  async put(draft: Draft<WebhookDelivery>): Promise<void> {
    const address = spoolOf(draft);
    // Before the put, so that no later event overtakes this one.
    const spool = this.#openAt(address);
    spool.begun += 1;
    try {
      const options = { contentType: 'application/json', ifAbsent: true };
      const { created } = await this.#store.put(spoolKey(address, draft), encodeSpooled(draft), options);
      if (created && spool.count !== undefined) spool.count += 1;
    } finally {
      spool.ended += 1;
      this.#onChange(address);
    }
  }

  /** Finds the spools that others began, or this process before a restart. */
  async discover(): Promise<void> {
    const accounts = await this.#store.list(SPOOL_PREFIX, { delimiter: '/' });
    for (const account of accounts.prefixes) {
      const destinations = await this.#store.list(account, { delimiter: '/' });
      for (const prefix of destinations.prefixes) {
        const [, name = '', destination = ''] = prefix.split('/');
        this.#openAt({ account: name, destination });
      }
    }
    this.#isKnown = true;
  }

  /** Counts the events of a discovered spool, once. */
  async count(address: SpoolAddress): Promise<void> {
    const spool = this.#open.get(address.destination);
    if (!spool || spool.count !== undefined) return;
    const { objects } = await this.#store.list(spoolPrefix(address));
    spool.count = objects.length;
  }

  /**
   * Runs `look`, which lists the spool, and forgets the spool if it is empty and no put ran meanwhile. Returns whether
   * it is empty.
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
   * Takes an event out: `make` creates its delivery before the object is deleted. Returns false, and does nothing,
   * while another call holds the key; also returns false when no delivery could be created.
   */
  async take(address: SpoolAddress, key: string, make: () => Promise<boolean>): Promise<boolean> {
    let isTaken = false;
    await this.#holding(key, async () => {
      if (!(await make())) return;
      await this.#store.delete(key);
      this.discount(address, 1);
      isTaken = true;
    });
    return isTaken;
  }

  /** Subtracts deleted events from the count. */
  discount({ destination }: SpoolAddress, deleted: number): void {
    const spool = this.#open.get(destination);
    if (spool?.count !== undefined) spool.count = Math.max(0, spool.count - deleted);
  }

  /**
   * Runs `remove`, which deletes the delivery, once no spooled event can create it again: a crash between the creation
   * of a delivery and the deletion of its event leaves the event behind. Returns false, and does nothing, while another
   * call holds the event.
   */
  async outlive(delivery: WebhookDelivery, remove: () => Promise<void>): Promise<boolean> {
    const address = spoolOf(delivery);
    if (this.#isKnown && !this.isOpen(address.destination)) {
      await remove();
      return true;
    }
    const key = spoolKey(address, delivery);
    return this.#holding(key, async () => {
      await this.#store.delete(key);
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
