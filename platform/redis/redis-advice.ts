import type { Logger } from '../service/logging.ts';
import type { RedisClient } from './redis-client.ts';

const OLDEST_MAJOR = 6;
const OLDEST_MINOR = 2;

/** Logs a warning on every connection when this Redis has a version or setting that can lose tasks. Never rejects. */
export function adviseOnRedis({ commands }: RedisClient, logger: Logger): void {
  commands.on('ready', () => {
    commands.info().then(
      (info) => advise(info, logger),
      () => undefined, // Disconnected again, or the user may not run INFO.
    );
  });
}

function advise(info: string, logger: Logger): void {
  const [, version = '', major, minor] = /^redis_version:((\d+)\.(\d+)\S*)/m.exec(info) ?? [];
  const [, policy] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  const old = Number(major) * 100 + Number(minor) < OLDEST_MAJOR * 100 + OLDEST_MINOR;
  if (old) logger.warn({ version }, 'Redis is older than 6.2, the minimum version');
  if (policy !== undefined && policy !== 'noeviction') {
    logger.warn({ policy }, 'Redis may throw away render tasks: set its maxmemory-policy to noeviction');
  }
}
