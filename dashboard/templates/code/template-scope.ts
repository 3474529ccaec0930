import { UNKNOWN_SHAPE, type DataShape } from './data-shape.ts';

/** Where a position in a template is: the values that its bindings can name. */
export interface TemplateScope {
  /** The value that `{{name}}` is a member of, with the names of block parameters. */
  readonly context: DataShape;
  readonly parent?: TemplateScope;
  /** Whether `@index`, `@key`, `@first` and `@last` are known. */
  readonly isLoop: boolean;
  /** Members that lead from the data to the context, `*` for each item of a list; undefined if not known. */
  readonly path: readonly string[] | undefined;
  /** Name of the context, from `as |name|`. */
  readonly name?: string;
}

/** The bound keeps the search linear. */
const TAG = /\{\{~?([#/])([^}]{0,500}?)~?\}\}/g;

/** Returns the scope at the end of a text, from the blocks that it opens and does not close. */
export function scopeAtEnd(template: string, root: DataShape): TemplateScope {
  const outermost: TemplateScope = { context: root, isLoop: false, path: [] };
  const scopes = [outermost];
  for (const [, kind, content = ''] of template.matchAll(TAG)) {
    const current = scopes.at(-1);
    if (kind === '/') {
      if (scopes.length > 1) scopes.pop();
    } else if (current) {
      scopes.push(scopeOfBlock(content, current));
    }
  }
  return scopes.at(-1) ?? outermost;
}

const BLOCK = /^(each|with)\s+(\S+)(?:\s+as\s+\|([^|]*)\|)?/;

function scopeOfBlock(content: string, outer: TemplateScope): TemplateScope {
  const [, name, path = '', parameters = ''] = BLOCK.exec(content.trim()) ?? [];
  if (name === undefined) return isPlain(content) ? outer : { ...outer, path: undefined };
  const value = shapeAtPath(path, outer);
  const own = name === 'each' ? (value.item ?? UNKNOWN_SHAPE) : value;
  const [parameter] = parameters.trim().split(/\s+/);
  const context = parameter ? { ...own, members: new Map([...own.members, [parameter, own]]) } : own;
  return {
    context,
    parent: outer,
    isLoop: name === 'each',
    path: innerPath(name, pathInScope(path, outer)),
    ...(parameter && { name: parameter }),
  };
}

function innerPath(block: string, path: TemplateScope['path']): TemplateScope['path'] {
  return block === 'each' && path ? [...path, '*'] : path;
}

/** Whether a block keeps the context: a helper does, a section such as `{{#customer}}` does not. */
function isPlain(content: string): boolean {
  return /^[\w-]+\s+\S/.test(content.trim());
}

/** Returns the members that a path such as `customer.name`, `../total` or `@root.number` leads through. */
export function pathInScope(path: string, from: TemplateScope): readonly string[] | undefined {
  let scope = from;
  let rest = path;
  for (; rest.startsWith('../'); rest = rest.slice(3)) scope = scope.parent ?? scope;
  const segments = rest.split(/[./]/).filter((segment) => segment !== '' && segment !== 'this');
  const [first = '', ...others] = segments;
  if (first === '@root') return others;
  if (segments.some((segment) => /[^\w-]/.test(segment))) return undefined;
  const named = scopesFrom(scope).find(({ name }) => name === first);
  if (named) return named.path && [...named.path, ...others];
  return scope.path && [...scope.path, ...segments];
}

function scopesFrom(scope: TemplateScope): TemplateScope[] {
  return scope.parent ? [scope, ...scopesFrom(scope.parent)] : [scope];
}

/** Returns the value at a path such as `customer.name`, `../total` or `@root.number`. */
export function shapeAtPath(path: string, from: TemplateScope): DataShape {
  let scope = from;
  let rest = path;
  for (; rest.startsWith('../'); rest = rest.slice(3)) scope = scope.parent ?? scope;
  const segments = rest.split(/[./]/).filter((segment) => segment !== '' && segment !== 'this');
  let shape = scope.context;
  if (segments[0] === '@root') {
    segments.shift();
    shape = rootOf(scope).context;
  }
  for (const segment of segments) shape = shape.members.get(segment) ?? UNKNOWN_SHAPE;
  return shape;
}

function rootOf(scope: TemplateScope): TemplateScope {
  return scope.parent ? rootOf(scope.parent) : scope;
}
