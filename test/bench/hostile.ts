import { documentFormat, type DocumentFormat } from '@trifold/crds';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { HOSTILE_DOCUMENTS, IMAGE_BOMBS } from '@trifold/renderer/testing/hostile-documents.ts';
import { eventually } from '../support/eventually.ts';
import { BROWSERS, type Pace } from './measurement/comparison.ts';
import { engineDocuments, type EngineDocument } from './workload/engine-documents.ts';
import { EngineRenderer } from './services/engine-renderer.ts';
import type { Invoice } from './workload/invoice.ts';

const [HOSTILE, ORDINARY] = ['hostile', 'ordinary'] as const;

/** Durations of ordinary documents in milliseconds. */
interface Measured {
  readonly beside: number;
  readonly next: number;
  readonly hostile: number;
  readonly outcome: RenderOutcome;
  readonly after: number;
}

/**
 * For each document that exceeds its limits, measures an invoice requested at the same time, the next invoice, and an
 * invoice requested right after the hostile document has ended.
 */
export async function benchHostile(invoice: Invoice, { milliseconds }: Pace, format: string): Promise<void> {
  const [ordinary] = engineDocuments(invoice);
  if (!ordinary) return;
  const bench = { ordinary, format: formatOf(format), deadlineMs: milliseconds };
  const engine = await EngineRenderer.start(BROWSERS);
  try {
    await engine.prepare(ordinary, [ORDINARY]);
    const rows: [string, Measured][] = [];
    for (const [name, make] of Object.entries({ ...HOSTILE_DOCUMENTS, ...IMAGE_BOMBS })) {
      const hostile = { name, source: make(), data: {}, options: {}, document: '' };
      rows.push([name, await measure(engine, hostile, bench)]);
    }
    printMeasured(rows);
  } finally {
    await engine.stop();
  }
}

interface Bench {
  readonly ordinary: EngineDocument;
  readonly format: DocumentFormat;
  readonly deadlineMs: number;
}

async function measure(
  engine: EngineRenderer,
  hostile: EngineDocument,
  { ordinary, format, deadlineMs }: Bench,
): Promise<Measured> {
  const render = async () => {
    const start = performance.now();
    const outcome = await engine.outcomeOf(ordinary, ORDINARY, { format });
    if (outcome.status === 'failed') throw new Error(`${ordinary.name}: ${outcome.failure.message}`);
    return performance.now() - start;
  };
  await engine.prepare(hostile, [HOSTILE]);
  await eventually(() => engine.pids.length >= BROWSERS);
  await Promise.all(Array.from({ length: BROWSERS }, render));
  const start = performance.now();
  const ending = engine.outcomeOf(hostile, HOSTILE, { format, deadlineMs }).then(async (outcome) => ({
    outcome,
    hostile: performance.now() - start,
    after: await render(),
  }));
  const beside = await render();
  const next = await render();
  return { beside, next, ...(await ending) };
}

function printMeasured(rows: readonly (readonly [string, Measured])[]): void {
  console.table(
    rows.map(([name, { beside, next, hostile, outcome, after }]) => ({
      '': name,
      'beside it ms': Math.round(beside),
      'the next ms': Math.round(next),
      'it ends after ms': Math.round(hostile),
      as: outcome.status === 'failed' ? outcome.failure.code : outcome.status,
      'after it ms': Math.round(after),
    })),
  );
  const worst = (pick: (measured: Measured) => number) =>
    Math.round(Math.max(...rows.map(([, measured]) => pick(measured))));
  console.log(`at most: beside it ${worst(({ beside }) => beside)} ms (target ≤ 8000 ms),`);
  console.log(
    `the next ${worst(({ next }) => next)} ms, after it ${worst(({ after }) => after)} ms (≤ 1000 ms)`,
  );
}

function formatOf(text: string): DocumentFormat {
  const format = documentFormat(text);
  if (!format) throw new Error('--format must be pdf, png, jpeg, webp, html or docx');
  return format;
}
