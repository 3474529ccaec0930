import { escapePointer } from '../templating/schema/json-pointer.ts';

/** What is wrong with a value, and where. */
export interface JsonProblem {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/**
 * Names that reach an object's prototype wherever it is copied or a template looks a value up. Refused outright, so
 * that nothing behind the gateway has to think of them.
 */
const FORBIDDEN_MEMBERS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** What a walk over a parsed value found. */
export interface Inspection {
  /** Members of all objects together. */
  readonly members: number;
  /** The first thing that cannot be taken as it is. */
  readonly problem: JsonProblem | undefined;
}

/**
 * Looks for what JSON allows but the service cannot keep faithfully: names that touch prototypes, numbers beyond a
 * double, halves of surrogate pairs. The value must not nest deeper than the call stack goes.
 */
export function inspectJson(value: unknown): Inspection {
  const walk = new Walk();
  const problem = walk.visit(value);
  return { members: walk.members, problem };
}

class Walk {
  members = 0;

  visit(value: unknown): JsonProblem | undefined {
    switch (typeof value) {
      case 'string':
        return value.isWellFormed()
          ? undefined
          : { path: '', message: 'holds half of a surrogate pair, which is not Unicode text' };
      case 'number':
        return Number.isFinite(value)
          ? undefined
          : { path: '', message: 'is a number too large to be kept (1.8e308 at most)' };
      case 'object':
        return this.#visitContainer(value);
      default:
        return undefined;
    }
  }

  #visitContainer(container: object | null): JsonProblem | undefined {
    if (container === null) return undefined;
    return Array.isArray(container) ? this.#visitElements(container) : this.#visitMembers(container);
  }

  #visitElements(elements: readonly unknown[]): JsonProblem | undefined {
    for (let index = 0; index < elements.length; index++) {
      const problem = this.visit(elements[index]);
      if (problem) return { ...problem, path: `/${index}${problem.path}` };
    }
    return undefined;
  }

  // No list of names and values: of a batch that would be millions of small arrays.
  #visitMembers(container: object): JsonProblem | undefined {
    for (const name of Object.keys(container)) {
      this.members++;
      const problem = problemOfName(name) ?? this.visit((container as Record<string, unknown>)[name]);
      if (problem) return { ...problem, path: `/${escapePointer(name)}${problem.path}` };
    }
    return undefined;
  }
}

function problemOfName(name: string): JsonProblem | undefined {
  if (FORBIDDEN_MEMBERS.has(name)) return { path: '', message: 'is not an allowed member name' };
  if (!name.isWellFormed()) {
    return { path: '', message: 'has a name with half of a surrogate pair, which is not Unicode text' };
  }
  return undefined;
}
