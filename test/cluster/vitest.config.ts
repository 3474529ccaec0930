import { defineConfig } from 'vitest/config';

/**
 * What only a cluster with a node can show. Apart from the other suites: it needs an engine for containers and our images
 * (`.ci/cluster-machine npm run test:cluster`). One cluster for all files, one file at a time.
 */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/cluster/global-setup.ts'],
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
