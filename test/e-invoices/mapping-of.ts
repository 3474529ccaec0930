import { termOrGroup } from '@trifold/platform/e-invoices/terms/terms.ts';
import type { PlainGroup, PlainValue } from './plain-invoice.ts';

/** Returns a mapping for data in the form of a plain invoice. */
export function mappingOf(invoice: PlainGroup): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(invoice).map(([id, content]) => [id, entryOf(id, content as PlainGroup, id)]),
  );
}

type Content = PlainValue | PlainValue[] | PlainGroup | PlainGroup[];

/** `path`: where the entry is in the data. */
function entryOf(id: string, content: Content, path: string): unknown {
  const entries = Array.isArray(content) ? content : [content];
  const item = isTerm(id) ? valueOf(entries as PlainValue[], path, Array.isArray(content)) : undefined;
  if (!Array.isArray(content)) return item ?? groupOf(entries as PlainGroup[], `${path}.`);
  return { each: path, item: item ?? groupOf(entries as PlainGroup[], '') };
}

/** The terms and groups that any of the entries has. */
function groupOf(entries: readonly PlainGroup[], prefix: string): Record<string, unknown> {
  const mapping: Record<string, unknown> = {};
  for (const entry of entries) {
    for (const [id, content] of Object.entries(entry)) {
      const others = entries.flatMap((other) => other[id as 'BG-1'] ?? []);
      // The profile sets BT-24.
      if (id === 'BT-24') continue;
      mapping[id] ??= entryOf(
        id,
        Array.isArray(content) ? others : mergedGroups(content, others),
        prefix + id,
      );
    }
  }
  return mapping;
}

function mergedGroups(content: Content, others: readonly PlainGroup[]): Content {
  if (typeof content === 'string' || 'value' in content) return content;
  return Object.assign({}, ...others) as PlainGroup;
}

function valueOf(entries: readonly PlainValue[], path: string, isItem: boolean): unknown {
  const hasScheme = entries.some((entry) => typeof entry !== 'string');
  if (!hasScheme) return isItem ? '{{this}}' : `{{${path}}}`;
  const prefix = isItem ? '' : `${path}.`;
  return { value: `{{${prefix}value}}`, scheme: `{{${prefix}scheme}}` };
}

function isTerm(id: string): boolean {
  return termOrGroup(id) !== undefined && id.startsWith('BT-');
}
