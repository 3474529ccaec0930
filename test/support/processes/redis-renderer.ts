import { workerPermissions } from '@trifold/platform/render-queue/testing/redis-contract.ts';

/** Renderer settings for their Redis user, as the chart creates it. */
export const RENDERER_USER = {
  TRIFOLD_REDIS_USERNAME: 'renderer',
  TRIFOLD_REDIS_PASSWORD: 'password-of-renderers',
} as const;

/** Returns the `user` of a RedisServer for renderers. `prefix`: the prefix of all keys. */
export function rendererUser(prefix: string): string {
  const { TRIFOLD_REDIS_USERNAME: name, TRIFOLD_REDIS_PASSWORD: password } = RENDERER_USER;
  return `${name} on >${password} ${workerPermissions(prefix)}`;
}
