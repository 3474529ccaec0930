import { Text } from '@codemirror/state';
import type { NestedField } from '@trifold/client';
import { problems as messages } from '../../messages/problems.ts';
import { pathInScope, scopeAtEnd } from '../code/template-scope.ts';
import { fieldAt } from '../code/data-fields.ts';
import { UNKNOWN_SHAPE } from '../code/data-shape.ts';
import { shapeOfTemplate } from '../code/template-shape.ts';
import type { Draft } from '../editor/draft/draft.ts';
import { completedData } from '../editor/draft/from-template.ts';
import { sampleFromSchema } from '../editor/panels/sample-from-schema.ts';
import { formatJson, isObject, isSameJson, parseObject } from '../json-text.ts';
import { missingBlockEnd } from './close-block.ts';
import { withMissingField, withMissingValue, type DataPath } from './data-fixes.ts';
import { nearestName } from './nearest.ts';
import { rangeIn, type Problem } from './problem.ts';

/** The strings being edited. */
export interface EditedTexts extends Pick<Draft, 'html' | 'css' | 'schema'> {
  /** Sample data, JSON. */
  readonly data: string;
}

/** A change that fixes a problem. */
export interface Fix {
  readonly label: string;
  /** The changed strings. */
  readonly change: Partial<EditedTexts>;
  /** Where the user continues in the changed HTML. */
  readonly caret?: number;
}

/** Returns changes that each fix a problem. `helpers`: the helper names that a template can call. */
export function fixesOf(problem: Problem, texts: EditedTexts, helpers: readonly string[]): Fix[] {
  const { path, code, places } = problem;
  if (path === '/data' && code === 'data_invalid') return dataFixes(pathOfPointer(places[0].pointer), texts);
  const part = TEXTS[path ?? ''];
  if (part === undefined) return [];
  const { from } = rangeIn(Text.of(texts[part].split('\n')), places[0]);
  if (code === 'binding_missing') return bindingFixes(problem, texts, from);
  return code === 'merge_failed' ? missingDataFix(texts) : textFixes(problem, texts, { part, from, helpers });
}

interface FixedText {
  readonly part: 'html' | 'css';
  /** Start of the problem. */
  readonly from: number;
  readonly helpers: readonly string[];
}

/** Replaces a name, or closes a block. */
function textFixes(problem: Problem, texts: EditedTexts, { part, from, helpers }: FixedText): Fix[] {
  const known = problem.suggestion ?? nearestHelper(problem, helpers);
  if (known !== undefined) return renamingFix(part, texts, { from, name: problem.name ?? '', known });
  return part === 'html' ? closingFix(problem.code, texts, from) : [];
}

const TEXTS: Readonly<Record<string, 'html' | 'css'>> = { '/html': 'html', '/css': 'css' };
/** Error code for a text that does not compile. */
const SYNTAX = 'template_does_not_compile';

function nearestHelper({ code, name }: Problem, helpers: readonly string[]): string | undefined {
  if (code !== SYNTAX || name === undefined || helpers.includes(name)) return undefined;
  return nearestName(name, helpers);
}

/** Replaces a misspelt name. */
function renamingFix(
  part: 'html' | 'css',
  texts: EditedTexts,
  { from, name, known }: { readonly from: number; readonly name: string; readonly known: string },
): Fix[] {
  const at = texts[part].indexOf(name, from);
  if (at < 0) return [];
  const changed = replaced(texts[part], at, name, known);
  // The block's end tag has the same name.
  const end = changed.indexOf(`{{/${name}}}`, at);
  const text = end < 0 ? changed : replaced(changed, end + '{{/'.length, name, known);
  return [{ label: messages.change(known), change: { [part]: text } }];
}

function replaced(text: string, at: number, old: string, added: string): string {
  return text.slice(0, at) + added + text.slice(at + old.length);
}

function closingFix(code: Problem['code'], { html }: EditedTexts, from: number): Fix[] {
  const end = code === SYNTAX && missingBlockEnd(html, from);
  if (!end) return [];
  const change = { html: replaced(html, end.at, '', `{{/${end.name}}}`) };
  return [{ label: messages.close(end.name), change, caret: end.at }];
}

function bindingFixes({ name = '' }: Problem, texts: EditedTexts, from: number): Fix[] {
  const scope = scopeAtEnd(texts.html.slice(0, from), UNKNOWN_SHAPE);
  const path = pathInScope(name, scope);
  if (!path) return [];
  const field = fieldAt(shapeOfTemplate([texts.html]), path);
  return [...dataFixes(path, texts, field), ...schemaFixes(path, texts, field)];
}

/** Adds the missing data or schema field, if that is why a helper has no value. */
function missingDataFix({ html, schema, data }: EditedTexts): Fix[] {
  const completed = completedData({ html }, { schema, data });
  if (!completed || isSameJson(completed.data, data)) return [];
  return [{ label: messages.addMissing, change: completed }];
}

function dataFixes(path: DataPath, { data, schema }: EditedTexts, field: NestedField = {}): Fix[] {
  const parsed = parseObject(data);
  const parsedSchema = parseObject(schema);
  if ('problem' in parsed || 'problem' in parsedSchema) return [];
  const own = valueAt(sampleFromSchema(parsedSchema.value), path);
  const changed = withMissingValue(parsed.value ?? {}, path, own ?? sampleOfField(path.at(-1) ?? '', field));
  return changed === undefined ? [] : [{ label: messages.addToData, change: { data: formatJson(changed) } }];
}

function schemaFixes(path: DataPath, { schema }: EditedTexts, field: NestedField): Fix[] {
  const parsed = parseObject(schema);
  if ('problem' in parsed) return [];
  const changed = withMissingField(parsed.value, path, field);
  if (changed === undefined) return [];
  return [{ label: messages.addToSchema, change: { schema: formatJson(changed) } }];
}

function sampleOfField(name: string, field: NestedField): unknown {
  return sampleFromSchema({ fields: [{ name, ...field }] })[name];
}

function valueAt(value: unknown, path: DataPath): unknown {
  return path.reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[0] as unknown;
    return isObject(inner) ? inner[name] : undefined;
  }, value);
}

function pathOfPointer(pointer = ''): DataPath {
  const names = pointer.split('/').slice(1);
  return names.map((name) => (/^\d+$/.test(name) ? '*' : name.replaceAll('~1', '/').replaceAll('~0', '~')));
}
