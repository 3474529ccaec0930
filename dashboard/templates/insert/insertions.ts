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

type SnippetId = keyof typeof messages.snippets;

const SNIPPETS: Readonly<Record<SnippetId, string>> = {
  table: `<table style="width: 100%; border-collapse: collapse">
	<thead>
		<tr style="text-align: left"><th>Description</th><th>Quantity</th><th>Price</th><th>Amount</th></tr>
	</thead>
	<tbody>
		{{#each #{lines}}}
		<tr style="break-inside: avoid">
			<td>{{description}}</td>
			<td>{{formatNumber quantity}}</td>
			<td>{{formatCurrency price "EUR"}}</td>
			<td>{{formatCurrency total "EUR"}}</td>
		</tr>
		{{/each}}
		<tr><td colspan="3">Net</td><td>{{formatCurrency (sum #{lines} "total") "EUR"}}</td></tr>
		<tr><td colspan="3">Tax</td><td>{{formatCurrency (multiply (sum #{lines} "total") #{0.19}) "EUR"}}</td></tr>
		<tr><td colspan="3">Total</td><td>{{formatCurrency (multiply (sum #{lines} "total") (add 1 #{0.19})) "EUR"}}</td></tr>
	</tbody>
</table>
`,
  address: `<div style="position: absolute; left: 0; top: 25mm; width: 85mm; height: 45mm">
	{{lines #{recipient}}}
</div>
`,
  pageNumbers: `<div style="width: 100%; text-align: center; font: 8pt sans-serif">Page {{page}} of {{pages}}</div>`,
  pageBreak: '<div style="break-before: page"></div>\n',
  together: '<div style="break-inside: avoid">\n\t#{}\n</div>\n',
};

/** What the user can insert: page parts, then helper calls. */
export const INSERTIONS: readonly Insertion[] = [
  ...Object.entries(SNIPPETS).map(([id, snippet]) => ({
    id,
    snippet,
    isFooter: id === 'pageNumbers',
    ...messages.snippets[id as SnippetId],
  })),
  ...HELPERS.map(insertionOf),
];

function insertionOf(helper: Helper): Insertion {
  const { name, summary: description, example } = helper;
  const detail = argumentsText(helper);
  return { id: `helper-${name}`, label: name, description, detail, example, snippet: callOf(helper) };
}

/** A call whose arguments the user fills in. A helper without positional arguments gets those of its example. */
function callOf({ name, parameters, least, block, example }: Helper): string {
  const fields = Object.keys(parameters).slice(0, least);
  if (fields.length === 0) return example;
  const call = [name, ...fields.map((field) => `#{${field}}`)].join(' ');
  return block ? `{{#${call}}}#{}{{/${name}}}` : `{{${call}}}`;
}
