import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { CLIENT_SOURCES } from './vitest.shared.ts';

/** Uninstalls the release that the other files need. */
const LAST = 'uninstall.test.ts';

class ByPlace extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => Number(basename(moduleId) === LAST);
    return files.toSorted((a, b) => place(a) - place(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/**
 * `npm run test:cluster`: one cluster, and one chart installation on which the test files run one after another. It is
 * not a project in vitest.config.ts because it needs images and a container engine (docs/testing.md, "A real cluster").
 */
export default defineConfig({
  resolve: { alias: CLIENT_SOURCES },
  test: {
    name: 'cluster',
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/cluster/global-setup.ts'],
    setupFiles: ['test/cluster/describe-failures.ts'],
    fileParallelism: false,
    sequence: { sequencer: ByPlace },
    testTimeout: 300_000,
    // The first file that needs the installation creates it.
    hookTimeout: 480_000,
    teardownTimeout: 60_000,
  },
});
