import type {
  PreviewRequest,
  Template,
  TemplateChange,
  TemplateEmail,
  TemplateSchema,
  TemplateStatus,
} from '@trifold/client';
import { editor as messages } from '../../../messages/template-editor.ts';
import {
  eInvoiceDraftOf,
  eInvoiceOf,
  isSameEInvoice,
  type EInvoiceDraft,
} from '../../e-invoices/e-invoice-draft.ts';
import { formatJson, isSameJson, objectIn, parseObject } from '../../json-text.ts';

/** A template being edited. Its JSON parts are strings, because they are invalid while the user types. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly status: TemplateStatus;
  readonly html: string;
  readonly css: string;
  /** JSON of the schema; blank if none. */
  readonly schema: string;
  /** JSON of the default options; blank if none. */
  readonly options: string;
  readonly email: EmailDraft;
  readonly eInvoice: EInvoiceDraft;
}

/** The parts of a draft that a preview shows. */
type ShownDraft = Omit<Draft, 'name' | 'description' | 'status'>;

export interface EmailDraft {
  /** Whether the template is an email template. */
  readonly enabled: boolean;
  readonly subject: string;
  readonly preheader: string;
  readonly text: string;
}

/** Parts of a template, in the order of the editor's tabs. */
export const PARTS = ['html', 'css', 'schema', 'data', 'options', 'email', 'e_invoice', 'settings'] as const;
export type Part = (typeof PARTS)[number];

/** Returns the part that edits the text at a path in the preview request; undefined for any other path. */
export function partOfPath(path = ''): Part | undefined {
  const [, member = ''] = path.split('/');
  return member === 'default_options' ? 'options' : PARTS.find((part) => part === member);
}

/** Returns the draft of a stored template. */
export function draftOf(template: Template): Draft {
  const { name, description, status, html, css, schema, default_options, email } = template;
  return {
    name,
    description: description ?? '',
    status,
    html,
    css: css ?? '',
    schema: formatJson(schema),
    options: formatJson(default_options),
    email: { enabled: email !== null, subject: '', preheader: '', text: '', ...email },
    eInvoice: eInvoiceDraftOf(template.e_invoice),
  };
}

function emailOf({ enabled, subject, preheader, text }: EmailDraft): TemplateEmail | null {
  if (!enabled) return null;
  return { subject, ...(preheader !== '' && { preheader }), ...(text !== '' && { text }) };
}

/** Returns the parts of a draft that differ from another draft. */
export function changedParts(draft: Draft, base: Draft): ReadonlySet<Part> {
  const differs: Partial<Record<Part, boolean>> = {
    html: draft.html !== base.html,
    css: draft.css !== base.css,
    schema: !isSameJson(draft.schema, base.schema),
    options: !isSameJson(draft.options, base.options),
    email: formatJson(emailOf(draft.email)) !== formatJson(emailOf(base.email)),
    e_invoice: !isSameEInvoice(draft.eInvoice, base.eInvoice),
    settings: (['name', 'description', 'status'] as const).some((member) => draft[member] !== base[member]),
  };
  return new Set(PARTS.filter((part) => differs[part]));
}

/** A required string that is empty. */
interface MissingText {
  readonly part: Part;
  /** JSON Pointer to the text in the template. */
  readonly path: string;
  /** Instruction for the user. */
  readonly remedy: string;
}

/** Returns the required strings that are empty. The service rejects a template with an empty one. */
export function findMissingTexts({ name, html, email }: Draft): readonly MissingText[] {
  const missing = (part: Part, path: string, remedy: string) => [{ part, path, remedy }];
  return [
    ...(html === '' ? missing('html', '/html', messages.htmlMissing) : []),
    ...(email.enabled && email.subject === ''
      ? missing('email', '/email/subject', messages.subjectMissing)
      : []),
    ...(name.trim() === '' ? missing('settings', '/name', messages.nameMissing) : []),
  ];
}

/** Returns the first part whose text is not valid JSON, with the reason. `data`: sample data. */
export function findInvalidPart(
  { schema, options, eInvoice }: Pick<Draft, 'schema' | 'options' | 'eInvoice'>,
  data = '',
): { readonly part: Part; readonly problem: string } | undefined {
  const texts = { schema, options, e_invoice: eInvoice.enabled ? eInvoice.mapping : '', data };
  for (const part of ['schema', 'options', 'e_invoice', 'data'] as const) {
    const parsed = parseObject(texts[part]);
    if ('problem' in parsed) return { part, problem: parsed.problem };
  }
  return undefined;
}

/** Returns the update that turns the stored template into the draft. Its JSON parts must be valid. */
export function changeOf(draft: Draft, base: Draft): TemplateChange {
  const changed = changedParts(draft, base);
  const { name, description, status } = draft;
  return {
    ...(changed.has('settings') && { name, description: description === '' ? null : description, status }),
    ...(changed.has('html') && { html: draft.html }),
    ...(changed.has('css') && { css: draft.css === '' ? null : draft.css }),
    ...(changed.has('schema') && { schema: objectIn(draft.schema) as TemplateSchema | null }),
    ...(changed.has('options') && { default_options: objectIn(draft.options) }),
    ...(changed.has('email') && { email: emailOf(draft.email) }),
    ...(changed.has('e_invoice') && { e_invoice: eInvoiceOf(draft.eInvoice) }),
  };
}

/** Returns the preview request, or undefined if there is no HTML or a JSON part or the data is invalid. */
export function previewRequestOf(draft: ShownDraft, data: string): PreviewRequest | undefined {
  const parsedData = parseObject(data);
  if (draft.html === '' || 'problem' in parsedData || findInvalidPart(draft)) return undefined;
  return {
    html: draft.html,
    css: draft.css === '' ? null : draft.css,
    schema: objectIn(draft.schema) as TemplateSchema | null,
    default_options: objectIn(draft.options),
    email: emailOf(draft.email),
    e_invoice: eInvoiceOf(draft.eInvoice),
    data: parsedData.value ?? {},
  };
}

/** Returns the number of bytes that count against `max_template_bytes`. */
export function bytesOf({ html, css }: Draft): number {
  const encoder = new TextEncoder();
  return encoder.encode(html).length + encoder.encode(css).length;
}
