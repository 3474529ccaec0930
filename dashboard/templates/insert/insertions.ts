import { insertions as messages } from '../../messages/insertions.ts';
import type { PaletteEntry } from '../palette/palette.tsx';
import { argumentsText, HELPERS, type Helper } from '../code/helpers.ts';

/** An item that the user can insert into a template. The details of a helper call are its arguments. */
export interface Insertion extends Omit<PaletteEntry, 'run'> {
  /** CodeMirror snippet: `#{name}` is a field that the user fills in. */
  readonly snippet: string;
  /** Whether it belongs at the end of the footer. @default at the cursor */
  readonly isFooter?: boolean;
}

/** Page parts, by their file. */
const SNIPPETS = import.meta.glob<string>('./snippets/*.txt', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** What the user can insert: page parts, then helper calls. */
export const INSERTIONS: readonly Insertion[] = [
  ...Object.entries(messages.snippets).map(([id, texts]) => ({
    id,
    snippet: SNIPPETS[`./snippets/${id}.txt`] ?? '',
    isFooter: id === 'pageNumbers',
    ...texts,
  })),
  ...HELPERS.map(insertionOf),
];

function insertionOf(helper: Helper): Insertion {
  const { name, summary: description, example } = helper;
  const detail = argumentsText(helper);
  return { id: `helper-${name}`, label: name, description, detail, example, snippet: callOf(helper) };
}

/** A call whose arguments the user fills in. A helper without positional arguments gets its example's arguments. */
function callOf({ name, parameters, least, block, example }: Helper): string {
  const fields = Object.keys(parameters).slice(0, least);
  if (fields.length === 0) return example;
  const call = [name, ...fields.map((field) => `#{${field}}`)].join(' ');
  return block ? `{{#${call}}}#{}{{/${name}}}` : `{{${call}}}`;
}
