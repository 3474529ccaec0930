import { QUEUE_NAMES } from '../port.ts';

/**
 * Returns the rules of the Redis user of renderers, as in `ACL SETUSER`: it reaches the keys of the queues and nothing
 * else, and no command that concerns the server or other connections. INFO is for the ready check of the client.
 */
export function workerPermissions(prefix: string): string {
  const keys = QUEUE_NAMES.map((queue) => `~${prefix}:${queue}:*`);
  const types = ['hash', 'list', 'set', 'sortedset', 'string', 'stream'].map((type) => `+@${type}`);
  const others = ['del', 'exists', 'type', 'pexpire', 'pttl', 'eval', 'evalsha', 'ping', 'info', 'select'];
  return [...keys, ...types, ...others.map((command) => `+${command}`), '+client|setname'].join(' ');
}
