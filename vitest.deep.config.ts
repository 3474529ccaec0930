import { defineConfig } from 'vitest/config';
import { CLIENT_SOURCES, CLUSTER, DEADLINES, DEEP, NOT_OURS } from './vitest.shared.ts';

const DASHBOARD = 'dashboard/**/*.deep.test.ts';
const CHAOS = 'test/chaos/**/*.test.ts';
/** Tests that measure stalls of the main thread. */
const STALLS = ['test/hostile-stalls/**/*.test.ts', 'test/floods/full-account.test.ts'];
const PROCESSES = 'test/processes/**/*.test.ts';
const STANDALONE = 'test/standalone/**/*.deep.test.ts';

/**
 * `npm run test:deep`: tests that take minutes, or more tools than Node, npm and git: hostile inputs, seeded fuzzers,
 * crashes, whole services, and the real programs that Trifold works with (docs/testing.md). A project starts when those
 * with a lower group order have ended.
 */
export default defineConfig({
  resolve: { alias: CLIENT_SOURCES },
  test: {
    ...DEADLINES,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: DEEP,
          exclude: [NOT_OURS, CHAOS, CLUSTER, DASHBOARD, ...STALLS, PROCESSES, STANDALONE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'standalone',
          include: [STANDALONE],
          exclude: [NOT_OURS],
          // Tests start separate services and often wait for them: two at a time, including those of `processes`.
          maxWorkers: 2,
          testTimeout: 300_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: [DASHBOARD],
          exclude: [NOT_OURS],
          // One service for all files, as in the acceptance tests.
          globalSetup: ['test/acceptance/global-setup.ts'],
          maxWorkers: 1,
          testTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: [PROCESSES],
          exclude: [NOT_OURS],
          // Gateway, controllers and renderers over a real API server, Redis and MinIO.
          maxWorkers: 2,
          testTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile-stalls',
          include: STALLS,
          exclude: [NOT_OURS],
          // Stalls are measured, so nothing else runs.
          maxWorkers: 1,
          testTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'chaos',
          include: [CHAOS],
          exclude: [NOT_OURS],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
