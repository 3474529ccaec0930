import { CODE_LIST_TITLES } from '@trifold/platform/e-invoices/code-lists/code-lists.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import type { Group, Term } from '@trifold/platform/e-invoices/terms/term.ts';
import { INVOICE, ownerOf, termTitle } from '@trifold/platform/e-invoices/terms/terms.ts';
import { table, type Row } from '../markdown-table.ts';
import { frontMatter } from './front-matter.ts';

const HEAD = `${frontMatter('platform/e-invoices/terms/*.ts')}

# Business terms of e-invoices

These are the terms and groups of EN 16931-1:2017 that a mapping can have. [How to create an
e-invoice](how-to/e-invoices.md#write-the-mapping) explains the mapping.

- Write a key as the number and name, \`BT-1 invoice number\`, or as the number alone, \`BT-1\`.
- **Occurs** is the number of values or groups: 1 and 1..n are required wherever their group is mapped. Only terms
  marked 0..n or 1..n can be lists.
- **Profiles** lists the profiles that require an optional term, and those that exclude a term.
- BT-24 specification identifier is set by the profile and is not mapped.
- BT-125 attached document is not supported: use BT-124 external document location.`;

const TYPES: readonly Row[] = [
  ['Type', 'Value'],
  ['amount', 'Decimal number with at most two decimal places, such as `1234.50`, without a currency'],
  ['unit price, quantity', 'Decimal number'],
  ['percentage', 'Decimal number: `19` is 19%'],
  ['code', 'Code from the list'],
  ['identifier, text', 'Any string without control characters other than line breaks and tabs'],
  ['identifier with scheme', 'An object with `value` and `scheme`; the scheme is a code from the list'],
  ['date', '`2026-11-28`'],
];

/** Returns docs/e-invoice-terms.md. */
export function eInvoiceTermsPage(): string {
  return `${[HEAD, table(TYPES), ...sections(INVOICE)].join('\n\n')}\n`;
}

function sections(group: Group): string[] {
  const terms = group.terms.filter(({ id }) => id !== 'BT-24');
  const rows = [...terms, ...group.groups].map(row);
  const heading = group === INVOICE ? '## Invoice' : `## ${termTitle(group.id)}`;
  const content = table([['Term or group', 'Type', 'Occurs', 'Codes', 'Profiles'], ...rows]);
  return [heading, ...place(group), content, ...group.groups.flatMap(sections)];
}

function place(group: Group): string[] {
  if (group === INVOICE) return [];
  const owner = ownerOf(group.id);
  return [owner === INVOICE ? 'At the top of the mapping.' : `In ${link(owner)}.`];
}

function row(entry: Term | Group): Row {
  const { id, isRequired, isList } = entry;
  const occurs = `${isRequired ? '1' : '0'}${isList ? '..n' : isRequired ? '' : '..1'}`;
  if ('groups' in entry) return [link(entry), 'group', occurs, '', profiles(id)];
  return [termTitle(id), typeText(entry), occurs, codesText(entry), profiles(id)];
}

function link(group: Group): string {
  const title = termTitle(group.id);
  return `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;
}

function typeText({ type, scheme }: Term): string {
  const name = type.replace('-', ' ');
  if (!scheme) return name;
  return scheme.isRequired ? `${name} with scheme` : `${name}, also with scheme`;
}

function codesText({ codes, scheme }: Term): string {
  if (codes) return CODE_LIST_TITLES[codes];
  return scheme?.codes ? `scheme: ${CODE_LIST_TITLES[scheme.codes]}` : '';
}

function profiles(id: Term['id'] | Group['id']): string {
  const entries = Object.entries(PROFILES);
  const requiring = entries.filter(([, { required }]) => required.includes(id)).map(([name]) => name);
  const without = entries.filter(([, { excluded }]) => excluded.includes(id)).map(([name]) => name);
  const required = requiring.length === entries.length ? 'required' : `required: ${requiring.join(', ')}`;
  return [requiring.length > 0 ? required : '', without.length > 0 ? `not in ${without.join(', ')}` : '']
    .filter((text) => text !== '')
    .join('; ');
}
