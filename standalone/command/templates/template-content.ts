import type { TemplateSample, TemplateStatus } from '@trifold/client';
import { FileError } from '../render/read-input.ts';
import { fileNameOf } from './file-names.ts';

/**
 * A template's fields except its ID and version, with the names of `/v1`; null means absent. Other fields are ignored.
 */
export interface TemplateContent {
  readonly name: string;
  readonly description: string | null;
  readonly status: TemplateStatus;
  readonly html: string;
  readonly css: string | null;
  readonly schema: object | null;
  readonly default_options: object | null;
  readonly email: object | null;
  readonly e_invoice: object | null;
  readonly samples: readonly TemplateSample[];
}

/** A template in a service, in a YAML file or in a folder. */
export interface StoredTemplate {
  readonly id?: string | undefined;
  readonly version?: number | undefined;
  readonly content: TemplateContent;
}

export const MANIFEST = 'template.json';
/** Files of a template's parts. The last four are JSON. */
export const PARTS = {
  html: 'template.html',
  css: 'style.css',
  schema: 'schema.json',
  default_options: 'options.json',
  email: 'email.json',
  e_invoice: 'e-invoice.json',
} as const;
export const SAMPLES = 'samples';
const FIELDS = [
  'name',
  'description',
  'status',
  ...(Object.keys(PARTS) as (keyof typeof PARTS)[]),
  SAMPLES,
] as const;

/** Returns the files of a template by name, without `template.json`. Throws FileError for unusable sample names. */
export function filesOf(content: TemplateContent): Map<string, string> {
  const files = new Map<string, string>();
  for (const [part, file] of Object.entries(PARTS)) {
    const value = content[part as keyof typeof PARTS];
    if (value !== null) files.set(file, typeof value === 'string' ? value : jsonOf(value));
  }
  const names = new Map<string, string>();
  for (const { name, data } of content.samples) {
    const file = `${SAMPLES}/${fileNameOf(name)}.json`;
    const folded = file.normalize().toLowerCase();
    const other = names.get(folded);
    if (other !== undefined) {
      throw new FileError(
        `error: the samples ${other} and ${name} would have the same file name: rename one`,
      );
    }
    names.set(folded, name);
    files.set(file, jsonOf(data));
  }
  return files;
}

/** Returns `template.json`. */
export function manifestOf({ id, version, content: { name, description, status } }: StoredTemplate): string {
  return jsonOf({
    name,
    ...(description !== null && { description }),
    ...(status !== 'active' && { status }),
    ...(id !== undefined && { id }),
    ...(version !== undefined && { version }),
  });
}

/**
 * Returns a template's files in a form that compares as equal for equal content: API servers sort the fields of
 * objects, and the ID and version are not content.
 */
export function comparableFiles(content: TemplateContent): Map<string, string> {
  const { schema, default_options, email, e_invoice } = content;
  const sorted = { schema, default_options, email, e_invoice };
  return new Map([
    [MANIFEST, manifestOf({ content })],
    ...filesOf({ ...content, ...(withSortedNames(sorted) as typeof sorted) }),
  ]);
}

/** Returns the fields of `after` that differ. */
export function changedFields(before: TemplateContent, after: TemplateContent): Partial<TemplateContent> {
  const isSame = (name: keyof TemplateContent) =>
    name === 'samples'
      ? jsonOf(byName(before.samples)) === jsonOf(byName(after.samples))
      : jsonOf(withSortedNames(before[name])) === jsonOf(withSortedNames(after[name]));
  return Object.fromEntries(FIELDS.filter((name) => !isSame(name)).map((name) => [name, after[name]]));
}

/** Folders have no order. */
function byName(samples: readonly TemplateSample[]): readonly TemplateSample[] {
  return samples.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function withSortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedNames);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, withSortedNames(inner)]));
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
