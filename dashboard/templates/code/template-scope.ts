import { UNKNOWN_SHAPE, type DataShape } from './data-shape.ts';

/** The scope of a position in a template: the values that its bindings can name. */
export interface TemplateScope {
  /** The value whose properties `{{name}}` refers to, including the block parameters. */
  readonly context: DataShape;
  readonly parent?: TemplateScope;
  /** Whether `@index`, `@key`, `@first` and `@last` are known. */
  readonly isLoop: boolean;
  /** Property path from the data to the context, with `*` for each item of a list; undefined if unknown. */
  readonly path: readonly string[] | undefined;
  /** Name of the context, from `as |name|`. */
  readonly name?: string;
}

/** A tag in a template, except comments and partials. */
interface ScopedTag {
  /** Whether it starts a block. */
  readonly isBlock: boolean;
  /** Content between the braces, without the leading sign. */
  readonly content: string;
  /** Scope of the tag's expressions. */
  readonly scope: TemplateScope;
}

/** The bounds keep the search linear. */
const TAG = /\{\{!--[^]{0,5000}?--\}\}|\{\{\{?~?\s*&?([#/^>!]?\*?)([^}]{0,500}?)~?\}\}/g;

/** Returns the scope at the end of a string, from its unclosed blocks. */
export function scopeAtEnd(template: string, root: DataShape): TemplateScope {
  return walkTags(template, root, () => undefined);
}

/** Visits a string's tags in order. Returns the scope at its end. */
export function walkTags(template: string, root: DataShape, visit: (tag: ScopedTag) => void): TemplateScope {
  const blocks = new OpenBlocks({ context: root, isLoop: false, path: [] });
  // Comments have no sign.
  for (const [, sign = '!', given = ''] of template.matchAll(TAG)) {
    const content = given.trim();
    if (isElse(sign, content)) blocks.otherwise();
    const { scope } = blocks;
    if (sign === '/') blocks.end();
    else if (sign === '') visit({ isBlock: false, content: content.replace(ELSE, ''), scope });
    else if (content !== '') {
      const inner = scopeBehind(sign, content, scope);
      if (!inner) continue;
      visit({ isBlock: true, content, scope });
      blocks.begin(inner);
    }
  }
  return blocks.scope;
}

/** Returns the scope inside the block that a tag opens; undefined for a comment or a partial. */
function scopeBehind(sign: string, content: string, outer: TemplateScope): TemplateScope | undefined {
  if (sign === '#') return scopeOfBlock(content, outer);
  if (sign === '^') return outer;
  // The content of a partial is used elsewhere.
  return sign === '#*' ? { ...outer, path: undefined } : undefined;
}

/** The scopes of the blocks that enclose a position. */
class OpenBlocks {
  readonly #scopes: [TemplateScope, ...TemplateScope[]];

  constructor(outermost: TemplateScope) {
    this.#scopes = [outermost];
  }

  get scope(): TemplateScope {
    return this.#scopes.at(-1) ?? this.#scopes[0];
  }

  begin(scope: TemplateScope): void {
    this.#scopes.push(scope);
  }

  end(): void {
    if (this.#scopes.length > 1) this.#scopes.pop();
  }

  /** The `else` branch of a block has the scope around the block. */
  otherwise(): void {
    this.end();
    this.begin(this.scope);
  }
}

const ELSE = /^else\b\s*/;

function isElse(sign: string, content: string): boolean {
  return sign === '^' ? content === '' : sign === '' && ELSE.test(content);
}

const BLOCK = /^(each|with)\s+(\S+)(?:\s+as\s+\|([^|]*)\|)?/;
/** A Mustache section: `{{#customer}}`. */
const SECTION = /^[\p{L}\p{N}_./@-]+$/u;

function scopeOfBlock(content: string, outer: TemplateScope): TemplateScope {
  const [, block, path = '', parameters = ''] = BLOCK.exec(content) ?? [];
  if (block === undefined) return scopeOfSection(content, outer);
  const value = shapeAtPath(path, outer);
  const own = block === 'each' ? (value.item ?? UNKNOWN_SHAPE) : value;
  const [parameter] = parameters.trim().split(/\s+/);
  const context = parameter ? { ...own, members: new Map([...own.members, [parameter, own]]) } : own;
  return {
    context,
    parent: outer,
    isLoop: block === 'each',
    path: innerPath(block === 'each', pathInScope(path, outer)),
    ...(parameter && { name: parameter }),
  };
}

/** A section repeats its content for each item of a list. A helper keeps the context. */
function scopeOfSection(content: string, outer: TemplateScope): TemplateScope {
  if (!SECTION.test(content)) return outer;
  const value = shapeAtPath(content, outer);
  const isLoop = value.members.size === 0;
  return {
    context: value.item ?? (isLoop ? outer.context : value),
    parent: outer,
    isLoop,
    path: innerPath(isLoop, pathInScope(content, outer)),
  };
}

function innerPath(isLoop: boolean, path: TemplateScope['path']): TemplateScope['path'] {
  return isLoop && path ? [...path, '*'] : path;
}

/** Returns the property names along a path such as `customer.name`, `../total` or `@root.number`. */
export function pathInScope(path: string, from: TemplateScope): readonly string[] | undefined {
  const { scope, segments } = readPath(path, from);
  const [first = '', ...others] = segments;
  if (first === '@root') return others;
  if (segments.some((segment) => /[^\p{L}\p{N}_-]/u.test(segment))) return undefined;
  const named = scopesFrom(scope).find(({ name }) => name === first);
  if (named) return named.path && [...named.path, ...others];
  return scope.path && [...scope.path, ...segments];
}

function scopesFrom(scope: TemplateScope): TemplateScope[] {
  return scope.parent ? [scope, ...scopesFrom(scope.parent)] : [scope];
}

/** Returns the value at a path such as `customer.name`, `../total` or `@root.number`. */
export function shapeAtPath(path: string, from: TemplateScope): DataShape {
  const { scope, segments } = readPath(path, from);
  const isFromRoot = segments[0] === '@root';
  const start = (isFromRoot && scopesFrom(scope).at(-1)) || scope;
  return segments
    .slice(isFromRoot ? 1 : 0)
    .reduce((shape, segment) => shape.members.get(segment) ?? UNKNOWN_SHAPE, start.context);
}

/** Returns the scope that a path starts in, and the names along it. */
function readPath(path: string, from: TemplateScope) {
  let scope = from;
  let rest = path;
  for (; rest.startsWith('../'); rest = rest.slice(3)) scope = scope.parent ?? scope;
  const segments = rest.split(/[./]/).filter((segment) => segment !== '' && segment !== 'this');
  return { scope, segments };
}
