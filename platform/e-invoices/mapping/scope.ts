import { escapePointer } from '../../templating/schema/json-pointer.ts';

/** The data that a binding sees: a list item, or all data. */
export interface Scope {
  readonly value: unknown;
  /** JSON Pointer to the value. */
  readonly pointer: string;
  /** Scope of the list, `../` in bindings. Undefined: all data. */
  readonly parent?: Scope;
  /** `@index`, `@first` and `@last` of an item. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A value that a path found; undefined if the data does not have it. */
interface Found {
  readonly value: unknown;
  readonly pointer: string;
}

/** Resolves a path as Handlebars does, and remembers where the value is. */
export function resolvePath(scope: Scope, path: hbs.AST.PathExpression): Found {
  if (path.data && path.parts[0] !== 'root') {
    return { value: scope.variables?.[path.parts.join('.')], pointer: scope.pointer };
  }
  const start = path.data ? rootOf(scope) : ancestor(scope, path.depth);
  const parts = path.data ? path.parts.slice(1) : path.parts;
  let found: Found = { value: start?.value, pointer: start?.pointer ?? '' };
  for (const part of parts) {
    found = { value: ownValue(found.value, part), pointer: `${found.pointer}/${escapePointer(part)}` };
  }
  return found;
}

function ancestor(scope: Scope, depth: number): Scope | undefined {
  let found: Scope | undefined = scope;
  for (let level = 0; level < depth; level += 1) found = found?.parent;
  return found;
}

export function rootOf(scope: Scope): Scope {
  let found = scope;
  while (found.parent) found = found.parent;
  return found;
}

/** Returns the contexts that Handlebars calls depths: the innermost first. */
export function contextsOf(scope: Scope): unknown[] {
  return scope.parent ? [scope.value, ...contextsOf(scope.parent)] : [scope.value];
}

function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
