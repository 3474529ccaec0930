import type { QueueName } from '../port.ts';

/**
 * Redis keys used outside the BullMQ API. All waiting tasks have a priority, so they are in BullMQ's sorted set of
 * prioritized jobs; its list `wait` holds only tasks of a dead renderer, until a worker next polls the queue.
 */
export const QUEUE_NAMES = ['interactive', 'batch'] as const satisfies readonly QueueName[];

/** Key of the sorted set of a queue's waiting tasks. Autoscaling by queue length reads it (ZCARD). */
export function waitingTasksKey(prefix: string, queue: QueueName): string {
  return `${prefix}:${queue}:prioritized`;
}

/** BullMQ's marker that a queue may hold work: a sorted set with one member, which waiting workers pop. */
export function markerKey(prefix: string, queue: QueueName): string {
  return `${prefix}:${queue}:marker`;
}

/** BullMQ's event stream of a queue. */
export function eventsKey(prefix: string, queue: QueueName): string {
  return `${prefix}:${queue}:events`;
}

/** Our own hash: the round of each account's last task in a queue. */
export function roundsKey(prefix: string, queue: QueueName): string {
  return `${prefix}:${queue}:rounds`;
}

/** BullMQ's hash of one task. */
export function taskKey(prefix: string, queue: QueueName, id: string): string {
  return `${prefix}:${queue}:${id}`;
}
