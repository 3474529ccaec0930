import { UNKNOWN_SHAPE, type DataShape } from './data-shape.ts';

/** Where a position in a template is: the values that its bindings can name. */
export interface TemplateScope {
  /** The value that `{{name}}` is a member of, with the names of block parameters. */
  readonly context: DataShape;
  readonly parent?: TemplateScope;
  /** Whether `@index`, `@key`, `@first` and `@last` are known. */
  readonly isLoop: boolean;
}

/** The bound keeps the search linear. */
const TAG = /\{\{~?([#/])([^}]{0,500}?)~?\}\}/g;

/** Returns the scope at the end of a text, from the blocks that it opens and does not close. */
export function scopeAtEnd(template: string, root: DataShape): TemplateScope {
  const scopes: TemplateScope[] = [{ context: root, isLoop: false }];
  for (const [, kind, content = ''] of template.matchAll(TAG)) {
    const current = scopes.at(-1);
    if (kind === '/') {
      if (scopes.length > 1) scopes.pop();
    } else if (current) {
      scopes.push(scopeOfBlock(content, current));
    }
  }
  return scopes.at(-1) ?? { context: root, isLoop: false };
}

const BLOCK = /^(each|with)\s+(\S+)(?:\s+as\s+\|([^|]*)\|)?/;

function scopeOfBlock(content: string, outer: TemplateScope): TemplateScope {
  const [, name, path = '', parameters = ''] = BLOCK.exec(content.trim()) ?? [];
  if (name === undefined) return outer;
  const value = shapeAtPath(path, outer);
  const own = name === 'each' ? (value.item ?? UNKNOWN_SHAPE) : value;
  const [parameter] = parameters.trim().split(/\s+/);
  const context = parameter ? { ...own, members: new Map([...own.members, [parameter, own]]) } : own;
  return { context, parent: outer, isLoop: name === 'each' };
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
