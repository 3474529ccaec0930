import { apiVersionOf, type KindDefinition, type PrinterColumn } from '@trifold/crds';
import { openApiSchema } from '@trifold/crds/schema/crd.ts';
import { table, type Row } from '../markdown-table.ts';
import { frontMatter } from './front-matter.ts';
import { KIND_NOTES } from './kind-notes.ts';
import type { Schema } from './openapi-document.ts';
import { fieldsOf, type SchemaContext } from './schema-fields.ts';

/** Parts of a resource that have their own page or table, by the last name in their path. */
const DESCRIBED: Readonly<Record<string, string>> = {
  conditions: 'See [conditions](#conditions).',
  defaultOptions: 'See [options](../rendering.md#options); their names here are in camel case.',
  options: 'See [options](../rendering.md#options); their names here are in camel case.',
  schema: 'See [data schema](../data-schema.md).',
  warnings: 'See [warnings](../errors.md#warnings-of-documents).',
};

const CONTEXT: SchemaContext = {
  schemas: {},
  insteadOf: (_name, path) => DESCRIBED[path.split('.').at(-1) ?? ''],
  showsPatterns: true,
};

/** Returns the file name of a kind's page: `webhook-endpoint`. */
export function kindFile({ kind }: KindDefinition): string {
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** Returns the reference page of a kind. */
export function kindPage(kind: KindDefinition): string {
  const { properties = {} } = openApiSchema(kind) as Schema;
  const { writer, example, conditions } = KIND_NOTES[kind.kind] ?? {};
  if (example === undefined) throw new Error(`docs/generate/kind-notes.ts has no entry for ${kind.kind}`);
  const fields = (part: 'spec' | 'status') => fieldTable(properties[part] ?? {}, `${part}.`);
  const parts = [
    frontMatter('crds/kinds/'),
    `# ${kind.kind}`,
    `${kind.description} ${writer}`,
    `Field reference for the kind \`${kind.kind}\` · \`${apiVersionOf(kind)}\` · namespaced · \`kubectl get ${kind.plural}\`, short \`${kind.shortNames.join('`, `')}\` · [work with kubectl](../platform-engineers.md)`,
    `\`\`\`yaml\n${example}\`\`\``,
    '## Spec',
    fields('spec'),
    '## Rules',
    `The API server rejects a resource that breaks one of these rules and returns the rule's message.`,
    ruleTable(kind),
    '## Status',
    fields('status'),
    ...(conditions
      ? ['## Conditions', table([['Condition', 'Status', 'Reason', 'Meaning'], ...conditions])]
      : []),
    '## Columns',
    columnTable(kind.columns),
    selectable(kind.selectableFields),
  ];
  return `${parts.join('\n\n')}\n`;
}

function fieldTable(schema: Schema, prefix: string): string {
  const rows = fieldsOf(schema, CONTEXT, prefix).map(({ path, type, isRequired, meaning }): Row => [
    `\`${path}\``,
    type,
    isRequired ? 'yes' : '',
    meaning,
  ]);
  return table([['Field', 'Type', 'Required', 'Meaning'], ...rows]);
}

function ruleTable({ rules }: KindDefinition): string {
  const rows = rules.map(({ path, rule: { message, transition } }): Row => [
    `\`${path.join('.')}\``,
    message.replaceAll('|', '\\|'),
    transition ? 'on updates' : 'always',
  ]);
  return table([['At', 'Rule', 'Checked'], ...rows]);
}

function columnTable(columns: readonly PrinterColumn[]): string {
  const rows = columns.map(({ name, jsonPath, description = '', priority = 0 }): Row => [
    `\`${name.toUpperCase()}\``,
    `\`${jsonPath.slice(1)}\``,
    priority > 0 ? 'with `-o wide`' : '',
    description,
  ]);
  return table([['Column', 'Field', 'Shown', 'Meaning'], ...rows]);
}

function selectable(paths: readonly string[]): string {
  const all = ['metadata.name', 'metadata.namespace', ...paths.map((path) => path.slice(1))];
  return `Field selectors (\`kubectl get --field-selector\`): ${all.map((path) => `\`${path}\``).join(', ')}.`;
}
