import type { RenderTask } from './port.ts';

/** TypeError unless a queue that carries so many bytes of data may take the task. */
export function assertAddable(task: RenderTask, carriedDataBytes: number): void {
  if (task.id === '' || task.id.includes(':')) {
    throw new TypeError(`the task id ${JSON.stringify(task.id)} is empty or holds a colon`);
  }
  if (Buffer.byteLength(task.data ?? '') > carriedDataBytes) {
    throw new TypeError(`the task ${task.id} carries more than ${carriedDataBytes} bytes of data`);
  }
}
