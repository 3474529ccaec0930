import { Text } from '@codemirror/state';
import type { NestedField } from '@trifold/client';
import { problems as messages } from '../../messages/problems.ts';
import { pathInScope, scopeAtEnd } from '../code/template-scope.ts';
import { fieldAt, UNKNOWN_SHAPE } from '../code/data-shape.ts';
import { shapeOfTemplate } from '../code/template-shape.ts';
import { completedData } from '../editor/draft/from-template.ts';
import { sampleFromSchema } from '../editor/panels/sample-from-schema.ts';
import { formatJson, isObject, isSameJson, parseObject } from '../json-text.ts';
import { missingBlockEnd } from './close-block.ts';
import { withMissingField, withMissingValue, type DataPath } from './data-fixes.ts';
import { fixedTextAt, type EditedTexts, type FixedText } from './fixed-text.ts';
import { nearestName } from './nearest.ts';
import { rangeIn, type Problem } from './problem.ts';

/** A change that fixes a problem. */
export interface Fix {
  readonly label: string;
  /** The changed strings. */
  readonly change: Partial<EditedTexts>;
  /** Cursor position in the changed text after the fix. */
  readonly caret?: number;
}

/** Returns changes, each of which fixes the problem. `helpers`: the helper names that a template can call. */
export function fixesOf(problem: Problem, texts: EditedTexts, helpers: readonly string[]): Fix[] {
  const { path = '', code, places } = problem;
  if (path === '/data' && code === 'data_invalid') return dataFixes(pathOfPointer(places[0].pointer), texts);
  const fixed = fixedTextAt(path, texts);
  if (!fixed) return [];
  const { from } = rangeIn(Text.of(fixed.text.split('\n')), places[0]);
  if (code === 'binding_missing') return bindingFixes(problem, texts, fixed.text.slice(0, from), fixed.text);
  return code === 'merge_failed' ? missingDataFix(texts) : textFixes(problem, fixed, from, helpers);
}

/** Replaces a name, or closes a block. */
function textFixes(problem: Problem, fixed: FixedText, from: number, helpers: readonly string[]): Fix[] {
  const { name = '', suggestion = nearestHelper(problem, helpers) } = problem;
  if (suggestion !== undefined) return renamingFix(fixed, from, name, suggestion);
  return problem.path === '/css' ? [] : closingFix(problem.code, fixed, from);
}

/** Error code for a string that does not compile. */
const SYNTAX = 'template_does_not_compile';

function nearestHelper({ code, name }: Problem, helpers: readonly string[]): string | undefined {
  if (code !== SYNTAX || name === undefined || helpers.includes(name)) return undefined;
  return nearestName(name, helpers);
}

/** Replaces a misspelled name. */
function renamingFix({ text, replacedBy }: FixedText, from: number, name: string, known: string): Fix[] {
  const at = text.indexOf(name, from);
  if (at < 0) return [];
  const changed = replaced(text, at, name, known);
  // The block's end tag has the same name.
  const end = changed.indexOf(`{{/${name}}}`, at);
  const renamed = end < 0 ? changed : replaced(changed, end + '{{/'.length, name, known);
  return [{ label: messages.change(known), change: replacedBy(renamed) }];
}

function replaced(text: string, at: number, old: string, added: string): string {
  return text.slice(0, at) + added + text.slice(at + old.length);
}

function closingFix(code: Problem['code'], { text, replacedBy }: FixedText, from: number): Fix[] {
  const end = code === SYNTAX && missingBlockEnd(text, from);
  if (!end) return [];
  const change = replacedBy(replaced(text, end.at, '', `{{/${end.name}}}`));
  return [{ label: messages.close(end.name), change, caret: end.at }];
}

/** `before`: the text before the binding. */
function bindingFixes({ name = '' }: Problem, texts: EditedTexts, before: string, text: string): Fix[] {
  const path = pathInScope(name, scopeAtEnd(before, UNKNOWN_SHAPE));
  if (!path) return [];
  const field = fieldAt(shapeOfTemplate([text]), path);
  return [...dataFixes(path, texts, field), ...schemaFixes(path, texts, field)];
}

/** Adds the missing data or schema field, if that is why a helper has no value. */
function missingDataFix({ html, options, email, schema, data }: EditedTexts): Fix[] {
  const template = { html, options, ...(email.enabled && { email }) };
  const completed = completedData(template, { schema, data });
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
