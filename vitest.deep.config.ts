import { defineConfig } from 'vitest/config';
import { CLIENT_SOURCES } from './vitest.client-sources.ts';

/**
 * `npm run test:deep`: what takes minutes and looks for the unexpected. Hostile inputs against every main thread, and
 * fuzzers with a seed. One file at a time, as stalls are measured.
 */
export default defineConfig({
  resolve: { alias: CLIENT_SOURCES },
  test: {
    name: 'deep',
    include: ['test/hostile-stalls/**/*.test.ts', '**/*.deep.test.ts'],
    exclude: ['**/node_modules/**'],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
