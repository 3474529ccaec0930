import { Bookmark } from 'docx';
import type { LaidOut } from './snapshot-tree.ts';

/** Targets of the links within a part of a document. Each becomes a bookmark in the following paragraph. */
export class Anchors {
  /** Bookmark names, by the IDs that links refer to. */
  readonly #names = new Map<string, string>();
  readonly #prefix: string;
  readonly #placed = new Set<string>();
  #pending: string[] = [];

  /** Names are unique in a file; `prefix` differs for each of its parts. */
  constructor(root: LaidOut, prefix: string) {
    this.#prefix = prefix;
    const [ids, targets] = [new Set<string>(), new Set<string>()];
    const collect = ({ name, attributes, children }: LaidOut) => {
      for (const id of [attributes['id'], attributes['name']]) if (id) ids.add(id);
      if (name === 'a' && attributes['href']?.trim().startsWith('#')) targets.add(idOf(attributes['href']));
      for (const child of children) collect(child);
    };
    collect(root);
    for (const id of targets) if (ids.has(id)) this.#names.set(id, `${this.#prefix}${this.#names.size}`);
  }

  /** Returns the name of the bookmark that a link refers to. */
  linked(href: string): string | undefined {
    return href.trim().startsWith('#') ? this.#names.get(idOf(href)) : undefined;
  }

  /** Remembers the bookmarks of an element until the next paragraph. */
  note({ name, attributes }: LaidOut): void {
    for (const id of [attributes['id'], name === 'a' ? attributes['name'] : undefined]) {
      const bookmark = this.#names.get(id ?? '');
      if (bookmark === undefined || this.#placed.has(bookmark)) continue;
      this.#placed.add(bookmark);
      this.#pending.push(bookmark);
    }
  }

  /** Returns the bookmarks for the following paragraph. */
  take(): Bookmark[] {
    const bookmarks = this.#pending.map((id) => new Bookmark({ id, children: [] }));
    this.#pending = [];
    return bookmarks;
  }
}

function idOf(href: string): string {
  const fragment = href.trim().slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
