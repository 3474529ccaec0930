import { fileURLToPath } from 'node:url';

/** Tests import the client's sources; its package has what `npm run build --workspace @trifold/client` made of them. */
export const CLIENT_SOURCES = {
  '@trifold/client': fileURLToPath(new URL('clients/typescript/index.ts', import.meta.url)),
};

export const NOT_OURS = '**/node_modules/**';

/** Needs images and a container engine; vitest.cluster.config.ts runs it. */
export const CLUSTER = 'test/cluster/**';

/** `npm run test:deep` runs these, `npm test` the rest: files by their name, and folders that belong there as a whole. */
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

/** Generous, because machines can be slow. Nothing is retried: a test that fails once shows a bug here or there. */
export const DEADLINES = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  teardownTimeout: 30_000,
};
