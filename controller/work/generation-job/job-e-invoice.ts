import {
  attachmentsKey,
  documentKeyOf,
  findConformanceProblem,
  hasEInvoice,
  type ConformanceLevel,
  type EInvoice,
  type GenerationJob,
  type ObjectRef,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { packAttachments } from '@trifold/platform/records/documents/attachments.ts';
import { eInvoiceAttachment } from '@trifold/platform/records/documents/e-invoice-attachment.ts';
import type { EInvoiceRequest } from '@trifold/platform/templating/checking/created-e-invoices.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { WorkError } from '../work-error.ts';
import type { CheckedData } from './checked-data.ts';

/**
 * Returns how to create the e-invoice of a job that does not come from the gateway; undefined if its document has none.
 * Throws WorkError.
 */
export function jobEInvoice(
  { spec }: GenerationJob,
  { eInvoice, defaultOptions }: Pick<RevisionContent, 'eInvoice' | 'defaultOptions'>,
): EInvoiceRequest | undefined {
  const { format = 'pdf', mode, options } = spec;
  if (format === 'xml' && !eInvoice) {
    const message = 'the template has no eInvoice: add it, or use another format';
    throw new WorkError('not_an_e_invoice_template', message);
  }
  if (!eInvoice || !hasEInvoice(eInvoice, format)) return undefined;
  const { conformance, locale, timeZone } = { ...defaultOptions, ...options };
  if (format === 'pdf') rejectLevel(eInvoice, conformance);
  rejectAttachments(spec);
  return { spec: eInvoice, test: mode === 'test', locale, timeZone };
}

function rejectLevel(eInvoice: EInvoice, level: ConformanceLevel | undefined): void {
  const conflict = findConformanceProblem(eInvoice, level);
  if (conflict !== undefined) throw new WorkError('options_invalid', `options.conformance ${conflict}`);
}

function rejectAttachments({ attachmentsRef }: GenerationJob['spec']): void {
  if (!attachmentsRef) return;
  const message = 'attachmentsRef cannot be set for a template with eInvoice: use POST /v1/generate';
  throw new WorkError('data_missing', message);
}

/** A job's e-invoice as it is stored, and the reference to it. */
export interface StorableEInvoice {
  readonly bytes: Buffer;
  readonly ref: ObjectRef;
}

/** Returns the e-invoice that a check created; undefined if the document has none. */
export function storableEInvoice(
  job: GenerationJob,
  eInvoice: EInvoiceRequest | undefined,
  { eInvoice: created }: CheckedData,
): StorableEInvoice | undefined {
  if (!eInvoice || !created) return undefined;
  const bytes = packAttachments([eInvoiceAttachment(eInvoice.spec.profile, created)]);
  const key = attachmentsKey(documentKeyOf(job));
  return { bytes, ref: { key, sha256: sha256Hex(bytes), size: bytes.length } };
}

/** Stores an e-invoice, unless an earlier attempt did: the job's data and revision cannot change. */
export async function storeEInvoice(
  store: Pick<ObjectStore, 'put'>,
  { bytes, ref }: StorableEInvoice,
): Promise<void> {
  await store.put(ref.key, bytes, { contentType: 'application/octet-stream', ifAbsent: true });
}
