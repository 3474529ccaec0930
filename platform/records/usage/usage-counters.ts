import {
  byFormat,
  DOCUMENT_FORMATS,
  KEY_MODES,
  type DocumentFormat,
  type KeyMode,
  type UsageReport,
  type UsageReportStatus,
} from '@trifold/crds';

/** Usage of one day or several. Every counter includes test keys; `documents` and `emails` count them separately. */
export interface UsageCounters {
  readonly documents: Readonly<Record<KeyMode, Readonly<Record<DocumentFormat, number>>>>;
  readonly failed: number;
  /** Pages and bytes of the created documents. */
  readonly pages: number;
  readonly bytes: number;
  readonly batches: number;
  readonly emails: Readonly<Record<KeyMode, number>>;
}

/** Zero usage. */
export const NO_USAGE: UsageCounters = {
  documents: { live: noDocuments(), test: noDocuments() },
  failed: 0,
  pages: 0,
  bytes: 0,
  batches: 0,
  emails: { live: 0, test: 0 },
};

/** Returns the sum of the two. */
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

/** Returns usage for documents only, all of one kind. */
export function documentUsage(mode: KeyMode, format: DocumentFormat, made: number): UsageCounters {
  const documents = { ...NO_USAGE.documents, [mode]: { ...noDocuments(), [format]: made } };
  return { ...NO_USAGE, documents };
}

/** Returns a report's counters, zero where a field is missing, without its uncounted work. */
export function usageOfReport({ status = {} }: UsageReport): UsageCounters {
  return countersOf(status);
}

/** Returns the usage of finished work that a report shows but does not count yet. */
export function uncountedOfReport({ status }: UsageReport): UsageCounters {
  return countersOf(status?.uncounted ?? {});
}

function countersOf(counts: UsageReportStatus): UsageCounters {
  const { documents, emails, failed = 0, pages = 0, bytes = 0, batches = 0 } = counts;
  return {
    documents: byMode((mode) => ({ ...noDocuments(), ...documents?.[mode] })),
    failed,
    pages,
    bytes,
    batches,
    emails: byMode((mode) => emails?.[mode] ?? 0),
  };
}

/** Returns the number of documents in all formats. */
export function totalOf(documents: Readonly<Record<DocumentFormat, number>>): number {
  return DOCUMENT_FORMATS.reduce((sum, format) => sum + documents[format], 0);
}

function noDocuments(): Record<DocumentFormat, number> {
  return byFormat(() => 0);
}

function addDocuments(
  one: Readonly<Record<DocumentFormat, number>>,
  other: Readonly<Record<DocumentFormat, number>>,
): Record<DocumentFormat, number> {
  return byFormat((format) => one[format] + other[format]);
}

function byMode<T>(value: (mode: KeyMode) => T): Record<KeyMode, T> {
  const [live, test] = KEY_MODES;
  return { [live]: value(live), [test]: value(test) };
}
