import type { ErrorDetail } from '../errors/api-error.ts';
import { escapePointer } from '@trifold/platform/json-pointer.ts';

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
  readonly problem: ErrorDetail | undefined;
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

  visit(value: unknown): ErrorDetail | undefined {
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
        return value === null ? undefined : this.#visitMembers(value);
      default:
        return undefined;
    }
  }

  #visitMembers(container: object): ErrorDetail | undefined {
    const isArray = Array.isArray(container);
    for (const [name, member] of Object.entries(container)) {
      if (!isArray) this.members++;
      const problem = (isArray ? undefined : problemOfName(name)) ?? this.visit(member);
      if (problem) return { ...problem, path: `/${escapePointer(name)}${problem.path}` };
    }
    return undefined;
  }
}

function problemOfName(name: string): ErrorDetail | undefined {
  if (FORBIDDEN_MEMBERS.has(name)) return { path: '', message: 'is not an allowed member name' };
  if (!name.isWellFormed()) {
    return { path: '', message: 'has a name with half of a surrogate pair, which is not Unicode text' };
  }
  return undefined;
}
