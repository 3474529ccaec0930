import { nameOf, type Schema } from './document-model.ts';
import { html, type Html } from './html.ts';
import { inline } from './prose.ts';

/** The type of a value in a few words, with links to schemas that have a name. */
export function typeOf(schema: Schema): Html {
  const { $ref, enum: choices, const: only, anyOf, items, additionalProperties, type } = schema;
  if ($ref !== undefined) return html`<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (anyOf) return joined(anyOf.map(typeOf), ' or ');
  if (choices)
    return joined(
      choices.map((choice) => html`<code>${String(choice)}</code>`),
      ', ',
    );
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (items) return html`list of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return html`map of name to ${typeOf(additionalProperties)}`;
  return html`${[type ?? 'anything'].flat().join(' or ')}${formatOf(schema)}`;
}

/** The members of an object as rows of a table; nothing for what has none. */
export function membersOf(schema: Schema): Html | undefined {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return undefined;
  return html`<table>
    <thead>
      <tr>
        <th>Member</th>
        <th>Type</th>
        <th>Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** What a value may be, beside its type. */
export function limitsOf(schema: Schema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  return [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, 'items'),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((limit) => limit !== undefined)
    .join('; ');
}

function rowsOf({ properties = {}, required = [] }: Schema, prefix: string): Html[] {
  return Object.entries(properties).flatMap(([name, member]) => [
    html`<tr>
      <td><code>${prefix}${name}</code>${required.includes(name) ? html` <em>required</em>` : undefined}</td>
      <td>${typeOf(member)}</td>
      <td>${inline(member.description)}${limitsNote(member)}</td>
    </tr>`,
    ...rowsOf(member, `${prefix}${name}.`),
    ...(member.anyOf ?? []).flatMap((choice) => rowsOf(choice, `${prefix}${name}.`)),
    ...(member.items ? rowsOf(member.items, `${prefix}${name}[].`) : []),
  ]);
}

function limitsNote(schema: Schema): Html | undefined {
  const limits = limitsOf(schema);
  return limits === '' ? undefined : html` <small>${limits}</small>`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  const words =
    least === undefined
      ? `at most ${most}`
      : most === undefined
        ? `at least ${least}`
        : `${least} to ${most}`;
  return `${words} ${unit}`.trim();
}

function formatOf({ format }: Schema): string {
  return format === undefined ? '' : ` (${format})`;
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
