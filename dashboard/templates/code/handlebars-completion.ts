import {
  insertCompletionText,
  pickedCompletion,
  snippet,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { UNKNOWN_SHAPE, type DataShape } from './data-shape.ts';
import { expectedAt } from './expected-argument.ts';
import { argumentsText, HELPERS } from './helpers.ts';
import { scopeAtEnd, shapeAtPath, type TemplateScope } from './template-scope.ts';

/** The part of a tag before the cursor: `{{#each li`. */
const OPEN_TAG = /\{\{\{?~?[#/^]?[^{}]*$/;
/** Longer tags are not completed: the search would be slow. */
const MAX_TAG_LENGTH = 1000;
/** The path that the user is typing, with its last segment separate. */
const TYPED = /((?:\.\.\/)*(?:[\w@$-]+\.)*)([\w@$-]*)$/;
/** Maximum length of the end of a tag that a completion replaces. */
const MAX_TAG_END = 8;
const LOOP_VARIABLES = ['@index', '@first', '@last', '@key'];

/** Braces also close before a tag and before another binding: `{{|}}</p>`, `{{|}}{{/if}}`. */
const CLOSED_BRACKETS = { brackets: ['(', '[', '{', '"', "'"], before: ')]}{:;><' };

/** Layout of a completed block: an editor without line breaks gets the block on one line. `none`: no blocks. */
type BlockLayout = 'lines' | 'line' | 'none';
const CONTENT = { lines: '\n\t#{}\n', line: '#{}', none: undefined } as const;

interface HandlebarsCompletionOptions {
  /** @default lines */
  readonly layout?: BlockLayout;
  /** Returns the tags of blocks around a position, in addition to those in the text. @default none */
  readonly blocksAround?: (context: CompletionContext) => string;
  /** Helpers that are not completed. @default none */
  readonly without?: readonly string[];
}

const DEFAULTS = { layout: 'lines', blocksAround: () => '', without: [] } as const;

/** Completes bindings and helpers inside `{{…}}`. `shape` returns what is known about the data. */
export function handlebarsCompletion(
  shape: () => DataShape,
  options: HandlebarsCompletionOptions = {},
): Extension {
  const given = { ...DEFAULTS, ...options };
  const source = (context: CompletionContext) => complete(context, shape(), given);
  const data = [{ autocomplete: source, closeBrackets: CLOSED_BRACKETS }];
  return Prec.high(EditorState.languageData.of(() => data));
}

function complete(
  context: CompletionContext,
  root: DataShape,
  { layout, blocksAround, without }: Required<HandlebarsCompletionOptions>,
): CompletionResult | null {
  const { state, pos } = context;
  const before = state.sliceDoc(0, pos);
  const near = before.slice(-MAX_TAG_LENGTH);
  const tag = OPEN_TAG.exec(near.slice(near.lastIndexOf('{{')));
  if (!tag || tag[0].startsWith('{{!')) return null;
  const [, path = '', segment = ''] = TYPED.exec(tag[0]) ?? [];
  const scope = scopeAtEnd(blocksAround(context) + before, root);
  const opensBlock = /^\{\{~?#[\w-]*$/.test(tag[0]);
  const start = tag[0].length - segment.length;
  const content = CONTENT[layout];
  const place = { path, expected: expectedAt(tag[0]), start, content };
  return {
    from: pos - segment.length,
    options: opensBlock
      ? blockOptions(content)
      : [
          ...bindingOptions(place, scope),
          ...helperOptions(path, tag[0]).filter(({ label }) => !without.includes(label)),
        ],
    validFor: /^[\w@$-]*$/,
  };
}

/** Position at which a binding is completed. */
interface Place {
  /** Typed text before the last segment: `customer.`. */
  readonly path: string;
  /** Value that the tag expects there (`expectedAt`). */
  readonly expected: string;
  /** Number of characters from the start of the tag to the last segment. */
  readonly start: number;
  /** Content of a block that the completion writes; undefined where there are no blocks. */
  readonly content: string | undefined;
}

function bindingOptions(place: Place, scope: TemplateScope): Completion[] {
  const members = Array.from(shapeAtPath(place.path, scope).members, ([label, shape]) => ({
    ...bindingOption(label, shape, place),
    type: 'property',
    boost: 2,
  }));
  if (place.path !== '') return members;
  const variables = [...(scope.isLoop ? ['this', ...LOOP_VARIABLES] : []), '@root'];
  const shapeOf = (label: string) =>
    LOOP_VARIABLES.includes(label) ? UNKNOWN_SHAPE : shapeAtPath(label, scope);
  return [
    ...members,
    ...variables.map((label) => ({ ...bindingOption(label, shapeOf(label), place), type: 'variable' })),
    ...(scope.parent ? [{ label: '../', type: 'variable', apply: continueWith('../') }] : []),
  ];
}

/** Argument types that an object or a list can be. */
const WHOLE = ['any', 'condition', 'list', 'object'];

/** An object continues with its fields, unless an object is expected. A list that would be printed becomes a loop. */
function bindingOption(label: string, shape: DataShape, place: Place): Completion {
  const { members, type, description } = shape;
  const isLoop = becomesLoop(shape, place);
  const detail = isLoop ? '{{#each}}' : type;
  const hasFields = members.size > 0 || type === 'object';
  return {
    label,
    ...(detail !== undefined && { detail }),
    ...(description !== undefined && { info: description }),
    ...(isLoop && { apply: loopOver(label, place) }),
    ...(hasFields && !WHOLE.includes(place.expected) && { apply: continueWith(`${label}.`) }),
  };
}

function becomesLoop({ item, type }: DataShape, { content, expected }: Place): boolean {
  return content !== undefined && expected === 'output' && (item !== undefined || type === 'array');
}

/** Completes a path and offers what can follow. */
function continueWith(text: string): NonNullable<Completion['apply']> {
  return (view, completion, from, to) => {
    const isFollowed = text.endsWith(view.state.sliceDoc(to, to + 1) || ' ');
    const inserted = isFollowed ? text.slice(0, -1) : text;
    view.dispatch({
      ...insertCompletionText(view.state, inserted, from, to),
      annotations: pickedCompletion.of(completion),
    });
    startCompletion(view);
  };
}

/** Replaces the tag with a loop. */
function loopOver(label: string, { path, start, content }: Place): NonNullable<Completion['apply']> {
  return (view, _completion, from, to) => {
    const [end = ''] = /^\s*~?\}{0,3}/.exec(view.state.sliceDoc(to, to + MAX_TAG_END)) ?? [];
    const loop = `{{#each ${path}${label}}}${content}{{/each}}`;
    snippet(loop)(view, null, from - start, end.endsWith('}') ? to + end.length : to);
  };
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

function blockOptions(content: string | undefined): Completion[] {
  if (content === undefined) return [];
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
