import { AccountStorage } from '../../../session/account-storage.ts';
import { isObject } from '../../json-text.ts';
import type { Draft } from './draft.ts';

/** Unsaved changes stored in the browser. */
export interface StoredDraft {
  /** Version that the changes are based on. */
  readonly baseVersion: number;
  /** Time of the last change, RFC 3339. */
  readonly at: string;
  readonly draft: Draft;
}

/** Sample data that the user entered. */
export interface StoredData {
  /** JSON, valid or not. */
  readonly data: string;
  /** Name of the sample being edited; null: not a sample yet. */
  readonly sample: string | null;
}

/** Shape of the stored value. Another version of the dashboard may have stored a different shape, which is ignored. */
const SHAPE = 2;

/** Data that this browser stores for one template of an account. */
export class TemplateStorage {
  readonly #storage: AccountStorage;
  readonly #draft: string;
  readonly #data: string;
  /** Time of the draft that this page last read or stored: another tab may have stored a newer one since. */
  #at: string | undefined;
  #hasData = false;

  constructor(account: string, id: string) {
    this.#storage = new AccountStorage(account);
    this.#draft = `draft:${id}`;
    this.#data = `data:${id}`;
  }

  /** Unsaved changes, if any. */
  readDraft(): StoredDraft | undefined {
    const stored = this.#read();
    this.#at = stored?.at;
    return stored;
  }

  /** Stores unsaved changes. Returns false when the browser has no space for them. */
  storeDraft(draft: Draft, baseVersion: number): boolean {
    const at = new Date().toISOString();
    this.#at = at;
    return this.#storage.store(this.#draft, { shape: SHAPE, baseVersion, at, draft });
  }

  /** Removes this page's draft, but not one that another tab has stored since. */
  removeDraft(): void {
    if (this.#at !== undefined && this.#read()?.at === this.#at) this.#storage.remove(this.#draft);
  }

  /** Unsaved sample data, if any. */
  readData(): StoredData | undefined {
    const stored = this.#storage.read(this.#data);
    this.#hasData = isObject(stored) && typeof stored['data'] === 'string';
    return this.#hasData ? (stored as StoredData) : undefined;
  }

  /** Stores unsaved sample data. Returns false when the browser has no space for it. */
  storeData(stored: StoredData): boolean {
    this.#hasData = true;
    return this.#storage.store(this.#data, stored);
  }

  /** Removes sample data that this page has read or stored, but not another tab's. */
  removeData(): void {
    if (this.#hasData) this.#storage.remove(this.#data);
    this.#hasData = false;
  }

  #read(): StoredDraft | undefined {
    const stored = this.#storage.read(this.#draft);
    return isObject(stored) && stored['shape'] === SHAPE ? (stored as unknown as StoredDraft) : undefined;
  }
}
