import { QueueKeys } from 'bullmq';
import type { Priority } from '../../scheduling/priority.ts';
import { QUEUE_NAMES } from '../port.ts';

/** Key of the sorted set that contains a queue's waiting tasks. Autoscaling by queue length reads it (ZCARD). */
export function waitingTasksKey(prefix: string, queue: Priority): string {
  return new QueueKeys(prefix).toKey(queue, 'prioritized');
}

/**
 * Returns the rules for the renderers' Redis user, as in `ACL SETUSER`: access to the queues' keys and nothing else,
 * and no command that affects the server or other connections. INFO is for the client's ready check.
 */
export function workerPermissions(prefix: string): string {
  const keys = QUEUE_NAMES.map((queue) => `~${prefix}:${queue}:*`);
  const types = ['hash', 'list', 'set', 'sortedset', 'string', 'stream'].map((type) => `+@${type}`);
  const others = ['del', 'exists', 'type', 'pexpire', 'pttl', 'eval', 'evalsha', 'ping', 'info', 'select'];
  return [...keys, ...types, ...others.map((command) => `+${command}`), '+client|setname'].join(' ');
}
