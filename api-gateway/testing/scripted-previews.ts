import type { DocumentWarning } from '@trifold/crds';
import type { PreviewOutcome, PreviewRenderer, PreviewTask } from '@trifold/platform/previews/port.ts';
import { abortable } from '@trifold/platform/async/abortable.ts';

/** A preview that a test completes or fails. */
export interface TakenPreview {
  readonly task: PreviewTask;
  readonly signal: AbortSignal;
  readonly end: (outcome: PreviewOutcome) => void;
}

/** Completes every preview immediately; after `hold`, leaves previews to the test. */
export class ScriptedPreviews implements PreviewRenderer {
  readonly taken: TakenPreview[] = [];
  outcome: PreviewOutcome = completed('a file');
  #isHolding = false;

  /** From now on, previews wait until the test ends them. */
  hold(): void {
    this.#isHolding = true;
  }

  async render(task: PreviewTask, signal: AbortSignal): Promise<PreviewOutcome> {
    const { promise, resolve } = Promise.withResolvers<PreviewOutcome>();
    this.taken.push({ task, signal, end: resolve });
    if (!this.#isHolding) resolve(this.outcome);
    return abortable(promise, signal);
  }
}

export function completed(file: string | Buffer, warnings: readonly DocumentWarning[] = []): PreviewOutcome {
  return { status: 'completed', file: Buffer.from(file), warnings, timings: { mergeMs: 1.23, printMs: 4 } };
}
