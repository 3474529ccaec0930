import { Text } from '@codemirror/state';
import type { NestedField } from '@trifold/client';
import { problems as messages } from '../../messages/problems.ts';
import { scopeAtEnd, pathInScope, type TemplateScope } from '../code/template-scope.ts';
import { UNKNOWN_SHAPE } from '../code/data-shape.ts';
import type { Draft } from '../editor/draft/draft.ts';
import { sampleFromSchema } from '../editor/panels/sample-from-schema.ts';
import HELPERS from '../helpers.json';
import { formatJson, isObject, parseObject } from '../json-text.ts';
import { missingBlockEnd } from './close-block.ts';
import { withMissingField, withMissingValue, type DataPath } from './data-fixes.ts';
import { nearestName } from './nearest.ts';
import { rangeIn, type Problem } from './problem.ts';

/** What the editor edits. */
export interface EditedTexts extends Pick<Draft, 'html' | 'css' | 'schema'> {
  /** Sample data, JSON. */
  readonly data: string;
}

/** A change that solves a problem. */
export interface Fix {
  readonly label: string;
  /** The texts that it changes. */
  readonly change: Partial<EditedTexts>;
}

/** Returns the changes of which each solves a problem. */
export function fixesOf(problem: Problem, texts: EditedTexts): Fix[] {
  const { path, code, places } = problem;
  if (path === '/data' && code === 'data_invalid') return dataFixes(pathOfPointer(places[0].pointer), texts);
  const part = path === '/html' ? 'html' : path === '/css' ? 'css' : undefined;
  if (part === undefined) return [];
  const { from } = rangeIn(Text.of(texts[part].split('\n')), places[0]);
  if (code === 'binding_missing') return bindingFixes(problem, texts, from);
  const renaming = renamingFix(problem, texts[part], from);
  const closing = part === 'html' && code === 'template_does_not_compile' && missingBlockEnd(texts.html, from);
  return [
    ...(renaming ? [{ label: messages.change(renaming.name), change: { [part]: renaming.text } }] : []),
    ...(closing
      ? [
          {
            label: messages.close(closing.name),
            change: { html: inserted(texts.html, closing.at, `{{/${closing.name}}}`) },
          },
        ]
      : []),
  ];
}

/** Replaces a misspelt name by the nearest one that is known. */
function renamingFix(
  { name = '', code, suggestion }: Problem,
  text: string,
  from: number,
): { readonly name: string; readonly text: string } | undefined {
  const isHelper = HELPERS.some((helper) => helper.name === name);
  const helper =
    code === 'template_does_not_compile' && !isHelper
      ? nearestName(name, HELPERS.map((each) => each.name))
      : undefined;
  const known = suggestion ?? helper;
  const at = text.indexOf(name, from);
  if (known === undefined || at < 0) return undefined;
  const changed = text.slice(0, at) + known + text.slice(at + name.length);
  // The end of a block has the same name.
  const end = changed.indexOf(`{{/${name}}}`, at);
  if (end < 0) return { name: known, text: changed };
  return { name: known, text: changed.slice(0, end + 3) + known + changed.slice(end + 3 + name.length) };
}

function bindingFixes({ name = '' }: Problem, texts: EditedTexts, from: number): Fix[] {
  const scope = scopeAtEnd(texts.html.slice(0, from), UNKNOWN_SHAPE);
  const path = pathInScope(name, scope);
  if (!path) return [];
  const opener = texts.html.lastIndexOf('{{', from);
  const tag = texts.html.slice(opener, texts.html.indexOf('}}', from));
  return [...dataFixes(path, texts, typeIn(tag, name)), ...schemaFixes(path, texts, typeIn(tag, name))];
}

function dataFixes(path: DataPath, { data, schema }: EditedTexts, type: NestedField['type'] = 'string'): Fix[] {
  const parsed = parseObject(data);
  const parsedSchema = parseObject(schema);
  if ('problem' in parsed || 'problem' in parsedSchema) return [];
  const own = valueAt(sampleFromSchema(parsedSchema.value), path);
  const changed = withMissingValue(parsed.value ?? {}, path, own ?? valueOfType(path.at(-1) ?? '', type));
  return changed === undefined ? [] : [{ label: messages.addToData, change: { data: formatJson(changed) } }];
}

function schemaFixes(path: DataPath, { schema }: EditedTexts, type: NestedField['type']): Fix[] {
  const parsed = parseObject(schema);
  if ('problem' in parsed) return [];
  const changed = withMissingField(parsed.value, path, type);
  if (changed === undefined) return [];
  return [{ label: messages.addToSchema, change: { schema: formatJson(changed) } }];
}

const NUMBERS = /^(?:format(?:Number|Currency|Percent)|add|subtract|multiply|divide|round)$/;

/** Returns the type that a tag expects of a binding. */
function typeIn(tag: string, name: string): NestedField['type'] {
  const before = tag.slice(0, tag.lastIndexOf(name)).trimEnd();
  const helper = /[\w]+$/.exec(before)?.[0] ?? '';
  if (helper === 'each' || helper === 'sum' || helper === 'join') return 'array';
  if (helper === 'with') return 'object';
  return NUMBERS.test(helper) ? 'number' : 'string';
}

function valueOfType(name: string, type: NestedField['type']): unknown {
  return sampleFromSchema({ fields: [{ name, type }] })[name];
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

function inserted(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
