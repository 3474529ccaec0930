import { fileURLToPath } from 'node:url';

/** Tests import the client's sources; its package has what `npm run build --workspace @trifold/client` made of them. */
export const CLIENT_SOURCES = {
  '@trifold/client': fileURLToPath(new URL('clients/typescript/index.ts', import.meta.url)),
};
