import type { ApiError } from '../errors/api-error.ts';

export interface ByteBudgetOptions {
  /** Combined limit for all holders. */
  readonly total: number;
  /** Limit for one holder. */
  readonly perHolder: number;
  /** Creates the error for a reservation beyond `perHolder`. */
  readonly holderExceeded: () => ApiError;
  /** Creates the error for a reservation beyond `total`. */
  readonly totalExceeded: () => ApiError;
}

/** Maximum size of a small body or response. Large ones never use the bytes reserved for small ones. */
export const SMALL_BYTES = 64 * 1024;
/** Small reservations may exceed each limit by this share of it. */
const SHARE_FOR_SMALL = 0.25;

/** Counts the bytes that requests hold, per holder (an API key or a connection) and in total. */
export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  readonly #byHolder = new Map<unknown, number>();
  #total = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  /** Number of bytes held. */
  get total(): number {
    return this.#total;
  }

  /** Number of holders with reserved bytes. */
  get holders(): number {
    return this.#byHolder.size;
  }

  /** Opens a 0-byte reservation for one of a holder's requests. */
  open(holder: unknown): ByteReservation {
    let held = 0;
    let isOpen = true;
    return {
      extend: (bytes) => {
        if (!isOpen || bytes <= held) return;
        this.#check(holder, bytes - held, bytes <= SMALL_BYTES);
        this.#add(holder, bytes - held);
        held = bytes;
      },
      release: () => {
        isOpen = false;
        this.#add(holder, -held);
        held = 0;
      },
    };
  }

  #check(holder: unknown, more: number, isSmall: boolean): void {
    const { perHolder, total, holderExceeded, totalExceeded } = this.#options;
    const factor = isSmall ? 1 + SHARE_FOR_SMALL : 1;
    const ofHolder = this.#byHolder.get(holder) ?? 0;
    if (ofHolder + more > perHolder * factor) throw holderExceeded();
    if (this.#total + more > total * factor) throw totalExceeded();
  }

  #add(holder: unknown, bytes: number): void {
    const ofHolder = (this.#byHolder.get(holder) ?? 0) + bytes;
    this.#total += bytes;
    if (ofHolder === 0) this.#byHolder.delete(holder);
    else this.#byHolder.set(holder, ofHolder);
  }
}

/** The bytes that one request holds. */
export interface ByteReservation {
  /**
   * Raises the reservation to this many bytes; does nothing if it is already that large or has been released. Throws
   * the budget's ApiError when the holder, or all holders together, would exceed their limit.
   */
  extend(bytes: number): void;
  /** Releases the bytes. A second call does nothing. */
  release(): void;
}
