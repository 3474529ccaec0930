import type { GroupId, InvoiceGroup, InvoiceValue, TermId } from '@trifold/platform/e-invoices/invoice.ts';

/** A value, a value with its scheme, or a list of them. */
export type PlainValue = string | { readonly value: string; readonly scheme?: string };

/** An invoice group as tests write it: terms and groups by number. */
export interface PlainGroup {
  [id: `BT-${number}`]: PlainValue | PlainValue[];
  [id: `BG-${number}`]: PlainGroup | PlainGroup[];
}

export function toInvoice(plain: PlainGroup, id: GroupId = 'BG-0', path = ''): InvoiceGroup {
  const terms: Partial<Record<TermId, InvoiceValue[]>> = {};
  const groups: Partial<Record<GroupId, InvoiceGroup[]>> = {};
  for (const [key, content] of Object.entries(plain)) {
    const entries = Array.isArray(content) ? content : [content];
    const pathOf = (index: number) => (Array.isArray(content) ? `${path}/${key}/${index}` : `${path}/${key}`);
    if (isTerm(key)) {
      terms[key] = (entries as PlainValue[]).map((entry, index) => valueFrom(entry, pathOf(index)));
    } else {
      const child = key as GroupId;
      groups[child] = (entries as PlainGroup[]).map((entry, index) => toInvoice(entry, child, pathOf(index)));
    }
  }
  return { id, path, terms, groups };
}

function valueFrom(entry: PlainValue, path: string): InvoiceValue {
  return typeof entry === 'string' ? { value: entry, path } : { ...entry, path };
}

function isTerm(key: string): key is TermId {
  return key.startsWith('BT-');
}
