import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';

/** Creates a real object store in a temporary directory; `remove` deletes it. */
export function temporaryStore(): { store: DirectoryStore; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'trifold-controller-'));
  const store = new DirectoryStore({ root });
  return { store, remove: () => rmSync(root, { recursive: true, force: true }) };
}
