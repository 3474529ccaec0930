import {
  findConformanceProblem,
  hasEInvoice,
  type DocumentFormat,
  type EInvoice,
  type RenderOptions,
} from '@trifold/crds';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { E_INVOICE_FILENAMES } from '@trifold/platform/e-invoices/embedded-file.ts';
import { eInvoiceAttachment } from '@trifold/platform/records/documents/e-invoice-attachment.ts';
import {
  packAttachments,
  unpackAttachments,
  type Attachment,
} from '@trifold/platform/records/documents/attachments.ts';
import type {
  CreatedEInvoice,
  EInvoiceRequest,
} from '@trifold/platform/templating/checking/created-e-invoices.ts';
import type { SuppliedEInvoice } from '@trifold/platform/templating/checking/supplied-e-invoice.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { invalidOptions } from '../../options/options-check.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { PackedAttachments } from './attachment-packer.ts';
import type { PackedRequestAttachments } from './request-attachments.ts';

/** Properties of a request that determine whether its documents have e-invoices. */
interface RequestedDocuments {
  readonly format: DocumentFormat;
  /** The request's options. */
  readonly options: RenderOptions | undefined;
  /** Whether the invoices contain the note TEST. */
  readonly test: boolean;
}

type EInvoiceTemplate = Pick<RevisionContent, 'eInvoice' | 'defaultOptions'>;

/**
 * Returns how to create a request's e-invoices; undefined if its documents have none. Throws ApiError
 * `not_an_e_invoice_template` for the format xml, or `options_invalid` for a level other than PDF/A-3.
 */
export function requestedEInvoices(
  { eInvoice: spec, defaultOptions }: EInvoiceTemplate,
  { format, options, test }: RequestedDocuments,
): EInvoiceRequest | undefined {
  if (format === 'xml' && !spec) {
    const message =
      'Documents with the format xml need an e_invoice, but neither the template nor the request has one.';
    throw new ApiError('not_an_e_invoice_template', message);
  }
  if (!spec || !hasEInvoice(spec, format)) return undefined;
  if (format === 'pdf') assertLevel(spec, options, defaultOptions);
  const { locale, timeZone } = { ...defaultOptions, ...options };
  return { spec, test, locale, timeZone };
}

/**
 * Returns the e-invoice that a request contains, which replaces the template's, or how to create e-invoices. Throws
 * ApiError like `requestedEInvoices`.
 */
export function documentEInvoices(
  supplied: SuppliedEInvoice | undefined,
  template: EInvoiceTemplate,
  wanted: RequestedDocuments,
): EInvoiceRequest | SuppliedEInvoice | undefined {
  if (!supplied) return requestedEInvoices(template, wanted);
  if (wanted.format === 'pdf') assertLevel(supplied, wanted.options, template.defaultOptions);
  return supplied;
}

function assertLevel(
  spec: Pick<EInvoice, 'format'>,
  options: RenderOptions | undefined,
  defaults: RenderOptions | undefined,
): void {
  const asked = findConformanceProblem(spec, options?.conformance);
  if (asked !== undefined) throw invalidOptions({ path: '/options/conformance', message: asked });
  const conflict = options?.conformance ? undefined : findConformanceProblem(spec, defaults?.conformance);
  if (conflict === undefined) return;
  const message = `names a template whose default_options cannot be used: conformance ${conflict}`;
  throw invalidOptions({ path: '/template_id', message }, 422);
}

/** The part of a request that its e-invoices change. */
interface HoldingRequest {
  readonly attachments: PackedRequestAttachments;
  readonly hold: (bytes: number) => void;
}

/**
 * Adds e-invoices, one per document, to a request's attachments. Other requests are served in between. Rejects with
 * ApiError `invalid_request` if another attachment has the same name, or with the error of `hold`.
 */
export async function withEInvoices(
  { attachments, hold }: HoldingRequest,
  eInvoice: EInvoiceRequest | SuppliedEInvoice,
  eInvoices: readonly CreatedEInvoice[],
): Promise<PackedRequestAttachments> {
  const { profile } = 'spec' in eInvoice ? eInvoice.spec : eInvoice;
  hold(eInvoices.reduce((sum, { xml }) => sum + xml.byteLength, 0));
  const files = eInvoices.map((created) => eInvoiceAttachment(profile, created));
  assertUnusedName(attachments);
  const packed: PackedAttachments[] = [];
  const isBatch = attachments.items.length > 0;
  for (const [index, file] of files.entries()) {
    packed.push(await packedWith(isBatch ? attachments.items[index] : attachments.common, file));
  }
  return isBatch ? { ...attachments, items: packed } : { ...attachments, common: packed[0] };
}

async function packedWith(
  before: PackedAttachments | undefined,
  file: Attachment,
): Promise<PackedAttachments> {
  const others = before ? unpackAttachments(before.bytes) : [];
  const bytes = packAttachments([...others, file]);
  await nextTurn();
  return { bytes, sha256: sha256Hex(bytes) };
}

/** Readers find the e-invoice by its name, which depends on the profile. */
function assertUnusedName({ common, items }: PackedRequestAttachments): void {
  for (const [place, packed] of [
    ['', common] as const,
    ...items.map((item, index) => [`/items/${index}`, item] as const),
  ]) {
    const names = packed ? unpackAttachments(packed.bytes).map(({ filename }) => filename) : [];
    const index = names.findIndex((name) => E_INVOICE_FILENAMES.includes(name.normalize().toLowerCase()));
    if (index === -1) continue;
    const detail = {
      path: `${place}/attachments/${index}/filename`,
      message: 'is reserved for e-invoices',
    };
    throw new ApiError('invalid_request', `${detail.path} ${detail.message}.`, { details: [detail] });
  }
}
