import { defineConfig } from 'vitest/config';
import { CLIENT_SOURCES, CLUSTER, DEADLINES, DEEP, NOT_OURS } from './vitest.shared.ts';

/** Suites that start whole services run in separate projects, so that they do not starve one another. */
const WHOLE_SERVICE = ['test/acceptance/**', 'test/standalone/**', 'test/recorded-state/**'];

/**
 * `npm test`: the tests for every change, in four minutes on two cores, with Node, npm and git. A project starts when
 * those with a lower group order have ended, so two cores run at most one service and two test files at a time. Without
 * isolation, a worker imports each module once rather than once per file, which would take as long as the tests
 * themselves.
 */
export default defineConfig({
  resolve: { alias: CLIENT_SOURCES },
  test: {
    ...DEADLINES,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['**/*.test.ts'],
          exclude: [NOT_OURS, 'test/**', ...DEEP],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Several parts together: gateway, controller, control plane.
          name: 'integration',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [NOT_OURS, ...WHOLE_SERVICE, CLUSTER, ...DEEP],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'acceptance',
          isolate: false,
          include: ['test/acceptance/**/*.test.ts'],
          // One service for all files; TRIFOLD_ACCEPTANCE_URL names one that is already running.
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
          include: ['test/{standalone,recorded-state}/**/*.test.ts'],
          exclude: [NOT_OURS, ...DEEP],
          // Every test starts separate services with browsers: one at a time.
          maxWorkers: 1,
          testTimeout: 300_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
