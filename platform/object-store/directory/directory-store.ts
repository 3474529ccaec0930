import {
  closeSync,
  constants,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { syncDirectorySync, syncFile, type Durability } from '../../process/durability.ts';
import { isProcessAlive, processIdentity } from '../../process/process-identity.ts';
import { create, isSystemError, quietly, storeError, writeAll } from './file-calls.ts';
import { DirectoryTree } from './directory-tree.ts';
import { encodeTrailer } from './object-file.ts';
import { assertLevel, assertObjectKey, assertPrefix } from '../object-key.ts';
import { readInfo, readObject, readWhole } from './object-reader.ts';
import {
  ObjectStoreError,
  PAGE_SIZE,
  type ListedObject,
  type ListPage,
  type ObjectInfo,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from '../port.ts';

export interface DirectoryStoreOptions {
  /** Root directory, created if missing. Must be one file system on this machine. */
  root: string;
  /** Minimum free bytes on its file system for `check` to resolve. @default 16 MiB */
  minFreeBytes?: number;
  /** Kind of failure that an object survives once its `put` has resolved. @default 'process' */
  durability?: Durability;
}

export const MIN_FREE_BYTES = 16 * 1024 * 1024;

/** Maximum number of attempts for a put whose directory is concurrently removed by garbage collection. */
const PUT_ATTEMPTS = 10;

/**
 * An object store in a directory: `objects/` has one file per object (its name ends with `@`, so that a key can also be
 * the prefix of others); `drafts/` has the files being written. A put is atomic: it links or renames a draft into
 * place. Several processes on one machine may share the directory. With the durability `power`, `put` and `delete`
 * resolve once the change is on disk; objects removed by `deletePrefix` may reappear after a power cut.
 */
export class DirectoryStore implements ObjectStore {
  readonly #drafts: string;
  readonly #minFreeBytes: number;
  readonly #durability: Durability;
  readonly #tree: DirectoryTree;
  readonly #identity = processIdentity();
  readonly #instance = nextInstance();
  #draftCount = 0;

  constructor({ root, minFreeBytes = MIN_FREE_BYTES, durability = 'process' }: DirectoryStoreOptions) {
    this.#minFreeBytes = minFreeBytes;
    this.#durability = durability;
    try {
      mkdirSync(root, { recursive: true, mode: 0o700 });
      const real = realpathSync(root);
      const objects = join(real, 'objects');
      this.#drafts = join(real, 'drafts');
      mkdirSync(objects, { recursive: true, mode: 0o700 });
      mkdirSync(this.#drafts, { recursive: true, mode: 0o700 });
      if (durability === 'power') for (const path of [real, dirname(real)]) syncDirectorySync(path);
      this.#tree = new DirectoryTree(objects, durability);
      this.#sweepDrafts();
    } catch (error) {
      throw storeError(`cannot use the directory ${root}`, error);
    }
  }

  async put(key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<{ created: boolean }> {
    assertObjectKey(key);
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    const trailer = encodeTrailer(content.byteLength, options);
    this.#draftCount += 1;
    const draft = join(this.#drafts, `${this.#identity}.${this.#instance}.${this.#draftCount}`);
    try {
      const fd = await create(draft);
      try {
        await writeAll(fd, [content, trailer]);
        // Sync the content before the name: after a power cut, a directory entry without its content would be a damaged
        // object.
        if (this.#durability === 'power') await syncFile(fd);
        const created = await this.#publish(draft, key, options.ifAbsent ?? false);
        // Sync even if the object existed: the put that created it may not have synced its entry yet.
        await this.#tree.makeDurable(key);
        return { created };
      } finally {
        quietly(() => closeSync(fd));
        // The draft still exists only after a link or a failure; a rename moves it.
        quietly(() => unlinkSync(draft));
      }
    } catch (error) {
      throw storeError(`put ${key}`, error);
    }
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    return this.#reading('head', key, (fd) => readInfo(fd, key));
  }

  async get(key: string): Promise<StoredObject | undefined> {
    return this.#reading('get', key, (fd) => readObject(fd, key));
  }

  async read(key: string): Promise<Buffer | undefined> {
    return this.#reading('read', key, (fd) => readWhole(fd, key));
  }

  async list(prefix: string, options: { delimiter?: '/' } = {}): Promise<ListPage> {
    assertPrefix(prefix);
    try {
      const { keys, prefixes } = await this.#tree.list(prefix, options.delimiter !== undefined);
      return { objects: await this.#infosOf(keys), prefixes };
    } catch (error) {
      throw storeError(`list ${prefix}`, error);
    }
  }

  async *pages(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    assertLevel(prefix);
    try {
      let keys: string[] = [];
      for await (const key of this.#tree.keysBelow(prefix)) {
        if (keys.push(key) < PAGE_SIZE) continue;
        yield await this.#infosOf(keys);
        keys = [];
      }
      if (keys.length > 0) yield await this.#infosOf(keys);
    } catch (error) {
      throw storeError(`list ${prefix}`, error);
    }
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    try {
      await this.#tree.delete(key);
    } catch (error) {
      throw storeError(`delete ${key}`, error);
    }
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertLevel(prefix);
    try {
      return await this.#tree.deletePrefix(prefix);
    } catch (error) {
      throw storeError(`delete ${prefix}`, error);
    }
  }

  /** A directory has no URLs: renderers use it directly. */
  async presign(): Promise<undefined> {
    return undefined;
  }

  async check(): Promise<void> {
    try {
      await access(this.#drafts, constants.W_OK | constants.X_OK);
      await this.#checkSpace();
    } catch (error) {
      throw storeError('the directory is not writable', error);
    }
  }

  /** Quotas per user or directory are not visible here. */
  async #checkSpace(): Promise<void> {
    const { bavail, bsize, files, ffree } = await statfs(this.#drafts);
    const free = bavail * bsize;
    // Some file systems do not count files.
    if (free >= this.#minFreeBytes && (files === 0 || ffree > 0)) return;
    const space = `${free} bytes and ${ffree} files are free; ${this.#minFreeBytes} bytes are required`;
    throw new ObjectStoreError('no_space', `object store: no space left: ${space}`);
  }

  async #infosOf(keys: readonly string[]): Promise<ObjectInfo[]> {
    const infos: ObjectInfo[] = [];
    for (const [index, key] of keys.entries()) {
      // Yields to the event loop during a long list.
      if (index % 100 === 99) await setImmediate();
      const info = await this.head(key);
      if (info) infos.push(info);
    }
    return infos;
  }

  async #publish(draft: string, key: string, ifAbsent: boolean): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const path = await this.#tree.createPath(key);
        if (ifAbsent) linkSync(draft, path);
        else renameSync(draft, path);
        return true;
      } catch (error) {
        if (ifAbsent && isSystemError(error, 'EEXIST')) return false;
        if (!isSystemError(error, 'ENOENT') || attempt === PUT_ATTEMPTS) throw error;
        this.#tree.forget(key);
      }
    }
  }

  async #reading<T>(what: string, key: string, use: (fd: number) => Promise<T>): Promise<T | undefined> {
    assertObjectKey(key);
    try {
      const path = await this.#tree.find(key);
      if (path === undefined) return undefined;
      const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      return await use(fd);
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined;
      throw storeError(`${what} ${key}`, error);
    }
  }

  #sweepDrafts(): void {
    for (const name of readdirSync(this.#drafts)) {
      const [owner = ''] = name.split('.');
      if (!isProcessAlive(owner)) rmSync(join(this.#drafts, name), { force: true, recursive: true });
    }
  }
}

let instances = 0;

/** Distinguishes the drafts of two stores in one process. */
function nextInstance(): number {
  instances += 1;
  return instances;
}
