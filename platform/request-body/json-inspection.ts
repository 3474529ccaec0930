import { escapePointer } from '../templating/schema/json-pointer.ts';

/** A problem in a value, with its location. */
export interface JsonProblem {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/**
 * Names that access an object's prototype when it is copied or a template looks up a value. Rejected here, so that no
 * component behind the gateway has to check for them.
 */
const FORBIDDEN_MEMBERS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Result of walking a parsed value. */
export interface Inspection {
  /** Number of members of all objects together. */
  readonly members: number;
  /** The first problem found. */
  readonly problem: JsonProblem | undefined;
}

/**
 * Finds what JSON allows but the service cannot preserve: names that access prototypes, numbers outside the range of a
 * double, unpaired surrogates. The value must not nest deeper than the call stack allows.
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

  // Does not use Object.entries: for a batch it would create millions of small arrays.
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
