import type { RenderTask } from './port.ts';

/** Throws TypeError unless a queue with this limit of carried data may take the task. */
export function assertAddable(task: RenderTask, carriedDataBytes: number): void {
  if (task.id === '' || task.id.includes(':')) {
    throw new TypeError(`the task id ${JSON.stringify(task.id)} is empty or holds a colon`);
  }
  if (Buffer.byteLength(task.data ?? '') > carriedDataBytes) {
    throw new TypeError(`the task ${task.id} carries more than ${carriedDataBytes} bytes of data`);
  }
}
