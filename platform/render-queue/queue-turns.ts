import type { QueueName } from './port.ts';

/** While tasks of both queues wait, one turn in so many is the batch queue's, so that it never starves. */
const BATCH_TURN = 8;

/** Whose turn it is where both queues may be served. */
export class QueueTurns {
  #turn = 0;

  next(): QueueName {
    this.#turn = (this.#turn + 1) % BATCH_TURN;
    return this.#turn === 0 ? 'batch' : 'interactive';
  }
}
