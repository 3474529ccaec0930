import type { QueueName } from './port.ts';

/** While tasks of both queues wait, one of this many turns goes to the batch queue, so that it never starves. */
const BATCH_TURN = 8;

/** Decides which queue is served next when both have tasks. */
export class QueueTurns {
  #turn = 0;

  next(): QueueName {
    this.#turn = (this.#turn + 1) % BATCH_TURN;
    return this.#turn === 0 ? 'batch' : 'interactive';
  }
}
