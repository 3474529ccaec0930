import { defineConfig } from 'vitest/config';
import { CLIENT_SOURCES } from './vitest.client-sources.ts';

/** Suites that start whole services, in their turn: they must not starve one another. */
const WHOLE_SERVICE = ['test/acceptance/**', 'test/standalone/**', 'test/processes/**', 'test/cluster/**'];
const NOT_OURS = '**/node_modules/**';
/** `npm run test:deep` runs these (vitest.deep.config.ts). */
const DEEP = ['test/hostile-stalls/**', '**/*.deep.test.ts'];

/**
 * One `vitest run` for everything. Projects with a higher group order start when the ones before have ended, so
 * that two cores carry at most one service and two test files at any time. Deadlines are generous, nothing is
 * retried: what fails once on a slow machine is a bug here or there.
 */
export default defineConfig({
  resolve: { alias: CLIENT_SOURCES },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [NOT_OURS, 'test/**', ...DEEP],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Several parts together: gateway, controller, control plane, kubectl.
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: [NOT_OURS, ...WHOLE_SERVICE, ...DEEP],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          // One service for all files; TRIFOLD_ACCEPTANCE_URL names one that is there already.
          globalSetup: ['test/acceptance/global-setup.ts'],
          maxWorkers: 2,
          testTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'standalone',
          include: ['test/standalone/**/*.test.ts'],
          // Every test starts services of its own, with browsers: one at a time.
          maxWorkers: 1,
          testTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ['test/processes/**/*.test.ts'],
          // Gateway, controllers and renderers over a real API server, Redis and MinIO: one such world at a time.
          maxWorkers: 1,
          testTimeout: 180_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
