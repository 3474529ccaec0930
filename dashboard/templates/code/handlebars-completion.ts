import {
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import type { DataShape } from './data-shape.ts';
import { argumentsText, HELPERS } from './helpers.ts';
import { scopeAtEnd, shapeAtPath, type TemplateScope } from './template-scope.ts';

/** The part of a tag before the cursor: `{{#each li`. */
const OPEN_TAG = /\{\{\{?~?[#/^]?[^{}]*$/;
/** Longer tags are not completed: the search would be slow. */
const MAX_TAG_LENGTH = 1000;
/** The path that the user is typing, with its last segment separate. */
const TYPED = /((?:\.\.\/)*(?:[\w@$-]+\.)*)([\w@$-]*)$/;
const LOOP_VARIABLES = ['@index', '@first', '@last', '@key'];

/** Braces also close before a tag and before another binding: `{{|}}</p>`, `{{|}}{{/if}}`. */
const CLOSED_BRACKETS = { brackets: ['(', '[', '{', '"', "'"], before: ')]}{:;><' };

/** How a completed block is written. An editor without line breaks gets it on one line. */
type BlockLayout = 'lines' | 'line';

/** Completes bindings and helpers inside `{{…}}`. `shape` returns what is known about the data. */
export function handlebarsCompletion(shape: () => DataShape, layout: BlockLayout = 'lines'): Extension {
  const source = (context: CompletionContext) => complete(context, shape(), layout);
  const data = [{ autocomplete: source, closeBrackets: CLOSED_BRACKETS }];
  return Prec.high(EditorState.languageData.of(() => data));
}

function complete(
  { state, pos }: CompletionContext,
  root: DataShape,
  layout: BlockLayout,
): CompletionResult | null {
  const before = state.sliceDoc(0, pos);
  const near = before.slice(-MAX_TAG_LENGTH);
  const tag = OPEN_TAG.exec(near.slice(near.lastIndexOf('{{')));
  if (!tag || tag[0].startsWith('{{!')) return null;
  const [, path = '', segment = ''] = TYPED.exec(tag[0]) ?? [];
  const scope = scopeAtEnd(before, root);
  const opensBlock = /^\{\{~?#[\w-]*$/.test(tag[0]);
  return {
    from: pos - segment.length,
    options: opensBlock
      ? blockOptions(layout)
      : [...bindingOptions(path, scope), ...helperOptions(path, tag[0])],
    validFor: /^[\w@$-]*$/,
  };
}

function bindingOptions(path: string, scope: TemplateScope): Completion[] {
  const members = Array.from(shapeAtPath(path, scope).members, ([label, { type, description }]) => ({
    label,
    type: 'property',
    boost: 2,
    ...(type !== undefined && { detail: type }),
    ...(description !== undefined && { info: description }),
  }));
  if (path !== '') return members;
  const loop = scope.isLoop ? ['this', ...LOOP_VARIABLES] : [];
  const variables = [...loop, ...(scope.parent ? ['../'] : []), '@root'];
  return [...members, ...variables.map((label) => ({ label, type: 'variable' }))];
}

/** A helper can follow `{{` or `(`, or be an argument's name, but is never a property of a value. */
function helperOptions(path: string, tag: string): Completion[] {
  if (path !== '' || !/(?:\{\{~?|\{\{\{|\()[\w]*$/.test(tag)) return [];
  return HELPERS.filter(({ onlyBlock }) => !onlyBlock).map((helper) => ({
    label: helper.name,
    type: 'function',
    detail: argumentsText(helper),
    info: helper.summary,
  }));
}

function blockOptions(layout: BlockLayout): Completion[] {
  const content = layout === 'lines' ? '\n\t#{}\n' : '#{}';
  return HELPERS.filter(({ block }) => block).map((helper) => ({
    label: helper.name,
    type: 'keyword',
    detail: argumentsText(helper),
    info: helper.summary,
    apply: (view, _completion, from, to) => {
      // The editor has added the closing braces.
      const close = view.state.sliceDoc(to, to + 2) === '}}' ? '' : '}}';
      snippet(`${helper.name} #{value}}}${content}{{/${helper.name}${close}`)(view, null, from, to);
    },
  }));
}
