import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { CLIENT_SOURCES } from './vitest.shared.ts';

/** What everything else needs goes last. */
const LAST = 'uninstall.test.ts';

class UninstallLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLast = ({ moduleId }: TestSpecification) => Number(basename(moduleId) === LAST);
    const byName = files.toSorted((a, b) => a.moduleId.localeCompare(b.moduleId));
    return byName.sort((a, b) => isLast(a) - isLast(b));
  }
}

/**
 * `npm run test:cluster`: the chart installed into one cluster, and file after file on it. It is not among the projects
 * of vitest.config.ts because it needs images and a container engine (docs/testing.md, "A real cluster").
 */
export default defineConfig({
  resolve: { alias: CLIENT_SOURCES },
  test: {
    name: 'cluster',
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/cluster/global-setup.ts'],
    setupFiles: ['test/cluster/describe-failures.ts'],
    fileParallelism: false,
    sequence: { sequencer: UninstallLast },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
