import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

/** Creates a real object store that is deleted after the current test. Call it in the test or in `beforeEach`. */
export function temporaryStore(): DirectoryStore {
  return new DirectoryStore({ root: testDirectory() });
}
