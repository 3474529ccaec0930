import { KEY_MODES, USAGE_FORMATS, type KeyMode, type UsageFormat, type UsageReport } from '@trifold/crds';

/** What was used, of one day or of many. Test keys count in all of it; `documents` and `emails` tell them apart. */
export interface UsageCounters {
  readonly documents: Readonly<Record<KeyMode, Readonly<Record<UsageFormat, number>>>>;
  readonly failed: number;
  /** Pages and bytes of the documents that were made. */
  readonly pages: number;
  readonly bytes: number;
  readonly batches: number;
  readonly emails: Readonly<Record<KeyMode, number>>;
}

/** Nothing at all. */
export const NO_USAGE: UsageCounters = {
  documents: { live: noDocuments(), test: noDocuments() },
  failed: 0,
  pages: 0,
  bytes: 0,
  batches: 0,
  emails: { live: 0, test: 0 },
};

/** The sum of both. */
export function addUsage(one: UsageCounters, other: UsageCounters): UsageCounters {
  return {
    documents: byMode((mode) => addDocuments(one.documents[mode], other.documents[mode])),
    failed: one.failed + other.failed,
    pages: one.pages + other.pages,
    bytes: one.bytes + other.bytes,
    batches: one.batches + other.batches,
    emails: byMode((mode) => one.emails[mode] + other.emails[mode]),
  };
}

/** Usage of documents alone, all of one kind. */
export function documentUsage(mode: KeyMode, format: UsageFormat, made: number): UsageCounters {
  const documents = { ...NO_USAGE.documents, [mode]: { ...noDocuments(), [format]: made } };
  return { ...NO_USAGE, documents };
}

/** The counters of a report, zero where it says nothing. */
export function usageOfReport({ status = {} }: UsageReport): UsageCounters {
  const { documents, emails, failed = 0, pages = 0, bytes = 0, batches = 0 } = status;
  return {
    documents: byMode((mode) => ({ ...noDocuments(), ...documents?.[mode] })),
    failed,
    pages,
    bytes,
    batches,
    emails: byMode((mode) => emails?.[mode] ?? 0),
  };
}

/** Documents of every format. */
export function totalOf(documents: Readonly<Record<UsageFormat, number>>): number {
  return USAGE_FORMATS.reduce((sum, format) => sum + documents[format], 0);
}

function noDocuments(): Record<UsageFormat, number> {
  return { pdf: 0, png: 0, html: 0, docx: 0 };
}

function addDocuments(
  one: Readonly<Record<UsageFormat, number>>,
  other: Readonly<Record<UsageFormat, number>>,
): Record<UsageFormat, number> {
  const sum = noDocuments();
  for (const format of USAGE_FORMATS) sum[format] = one[format] + other[format];
  return sum;
}

function byMode<T>(value: (mode: KeyMode) => T): Record<KeyMode, T> {
  const [live, test] = KEY_MODES;
  return { [live]: value(live), [test]: value(test) };
}
