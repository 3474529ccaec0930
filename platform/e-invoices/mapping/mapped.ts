import type { Group, Term } from '../terms/term.ts';
import type { Binding } from './binding.ts';

/** Entries of a mapping for a term or a group, in order. */
export type Entries<T> = readonly (T | Each<T>)[];

/** One entry for each item of a list in the data. */
export interface Each<T> {
  readonly each: hbs.AST.PathExpression;
  readonly item: T;
}

export interface MappedValue {
  readonly binding: Binding;
  readonly scheme?: Binding;
  readonly version?: Binding;
}

/** A group of a mapping, with its strings parsed. */
export interface MappedGroup {
  readonly group: Group;
  readonly terms: readonly { readonly term: Term; readonly entries: Entries<MappedValue> }[];
  readonly groups: readonly { readonly group: Group; readonly entries: Entries<MappedGroup> }[];
}

export function isEach<T extends object>(entry: T | Each<T>): entry is Each<T> {
  return 'each' in entry;
}
