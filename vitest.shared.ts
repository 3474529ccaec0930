import { fileURLToPath } from 'node:url';

/**
 * Tests import the client's sources; its package contains what `npm run build --workspace @trifold/client` built from
 * them.
 */
export const CLIENT_SOURCES = {
  '@trifold/client': fileURLToPath(new URL('clients/typescript/index.ts', import.meta.url)),
};

export const NOT_OURS = '**/node_modules/**';

/** Needs images and a container engine; vitest.cluster.config.ts runs it. */
export const CLUSTER = 'test/cluster/**';

/** `npm run test:deep` runs these and `npm test` the rest: files by name, and entire folders that belong there. */
export const DEEP = [
  '**/*.deep.test.ts',
  'renderer/hostile/**/*.test.ts',
  'test/chaos/**/*.test.ts',
  'test/chart/**/*.test.ts',
  'test/floods/**/*.test.ts',
  'test/kubectl/**/*.test.ts',
  'test/processes/**/*.test.ts',
  'test/hostile-stalls/**/*.test.ts',
];

/**
 * Generous, because machines can be slow. Nothing is retried: a test that fails even once reveals a bug in the test or
 * the code.
 */
export const DEADLINES = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 30_000,
};
