/** Maximum number of empty slots at the front before the array is compacted. */
const SLACK = 1024;

/** A first in, first out queue with constant-time removal from the middle. */
export class WaitingLine {
  #slots: (string | undefined)[] = [];
  #front = 0;
  readonly #members = new Map<string, number>();

  get length(): number {
    return this.#members.size;
  }

  has(id: string): boolean {
    return this.#members.has(id);
  }

  push(id: string): void {
    this.#members.set(id, this.#slots.length);
    this.#slots.push(id);
  }

  /** Puts a member that already had its turn at the front. */
  pushFront(id: string): void {
    if (this.#front === 0) this.#shift(1);
    this.#front -= 1;
    this.#slots[this.#front] = id;
    this.#members.set(id, this.#front);
  }

  shift(): string | undefined {
    while (this.#front < this.#slots.length) {
      const id = this.#slots[this.#front];
      this.#slots[this.#front] = undefined;
      this.#front += 1;
      if (id === undefined) continue;
      this.#members.delete(id);
      if (this.#front > SLACK && this.#front * 2 > this.#slots.length) this.#shift(0);
      return id;
    }
    return undefined;
  }

  remove(id: string): boolean {
    const slot = this.#members.get(id);
    if (slot === undefined) return false;
    this.#members.delete(id);
    this.#slots[slot] = undefined;
    return true;
  }

  /** Compacts the array so that it begins with `room` empty slots. */
  #shift(room: number): void {
    const left = this.#slots.slice(this.#front).filter((id) => id !== undefined);
    this.#slots = [...Array.from<undefined>({ length: room }), ...left];
    this.#front = room;
    left.forEach((id, index) => this.#members.set(id, room + index));
  }
}
