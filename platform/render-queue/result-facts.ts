import type { ObjectInfo } from '../object-store/port.ts';
import type { RenderResult } from './port.ts';

/** A result without its size, which the store already records, and without warnings, which are too long for metadata. */
export type ResultFacts = Omit<RenderResult, 'size' | 'warnings'>;

/** Encodes the facts of a finished document as object metadata. Keys begin with `result-`; values are ASCII. */
export function encodeResultFacts({ pages, sha256, renderTimeMs, timings, ...times }: ResultFacts) {
  return {
    'result-pages': String(pages),
    'result-sha256': sha256,
    'result-render-time-ms': String(renderTimeMs),
    'result-queued-ms': String(timings.queuedMs),
    'result-merge-ms': String(timings.mergeMs),
    'result-print-ms': String(timings.printMs),
    'result-store-ms': String(timings.storeMs),
    'result-started-at': times.startedAt,
    'result-finished-at': times.finishedAt,
  } satisfies Record<string, string>;
}

/** Decodes the result from a stored object. Returns undefined when the metadata is not that of a finished document. */
export function decodeResultFacts(info: ObjectInfo): RenderResult | undefined {
  const { metadata } = info;
  const number = (name: string) => Number(metadata[`result-${name}`]);
  const result = {
    size: info.size,
    pages: number('pages'),
    sha256: metadata['result-sha256'] ?? '',
    renderTimeMs: number('render-time-ms'),
    timings: {
      queuedMs: number('queued-ms'),
      mergeMs: number('merge-ms'),
      printMs: number('print-ms'),
      storeMs: number('store-ms'),
    },
    startedAt: metadata['result-started-at'] ?? '',
    finishedAt: metadata['result-finished-at'] ?? '',
  };
  return isComplete(result) ? result : undefined;
}

function isComplete({ pages, renderTimeMs, sha256, timings, startedAt, finishedAt }: RenderResult): boolean {
  const numbers = [pages, renderTimeMs, ...Object.values(timings)];
  const times = [startedAt, finishedAt].map((text) => Date.parse(text));
  return [...numbers, ...times].every((value) => Number.isFinite(value)) && /^[0-9a-f]{64}$/.test(sha256);
}
