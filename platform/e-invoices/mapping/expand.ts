import type { InvoiceProblem } from '../e-invoice-spec.ts';
import { E_INVOICE_GROUPS, E_INVOICE_PROBLEMS, E_INVOICE_XML_BYTES } from '../e-invoice-limits.ts';
import type { GroupId, InvoiceGroup, InvoiceValue, TermId } from '../invoice.ts';
import type { Term } from '../terms/term.ts';
import { termTitle } from '../terms/terms.ts';
import { valueProblem } from '../terms/value-types.ts';
import type { Binding } from './binding.ts';
import type { BindingEvaluator } from './evaluate.ts';
import { isEach, type Entries, type MappedGroup, type MappedValue } from './mapped.ts';
import { resolvePath, type Scope } from './scope.ts';

/** JSON Pointers to the fields of terms, and to the lists of groups. */
type Missing = Partial<Record<TermId | GroupId, string>>;

/** What a list is for, and where to record it if it has no items. */
interface Target {
  readonly id: TermId | GroupId;
  readonly missing: Missing;
}

/** Ends the expansion early because the invoice is too large or has too many problems. */
class Abort extends Error {}

/** Creates a document's invoice from its data. */
export class Expansion {
  readonly problems: InvoiceProblem[] = [];
  readonly #evaluator: BindingEvaluator;
  #groups = 0;
  #characters = 0;

  constructor(evaluator: BindingEvaluator) {
    this.#evaluator = evaluator;
  }

  /** Returns undefined if a value has the wrong type or the invoice is too large: see `problems`. */
  expand(mapped: MappedGroup, data: unknown): InvoiceGroup | undefined {
    try {
      const invoice = this.#group(mapped, { value: data, pointer: '' });
      return this.problems.length === 0 ? invoice : undefined;
    } catch (error) {
      if (error instanceof Abort) return undefined;
      throw error;
    }
  }

  /** `missing` is the parent's for a group that occurs once, because an absent group leaves no other trace. */
  #group(
    { group, terms, groups }: MappedGroup,
    scope: Scope,
    missing: Missing = {},
  ): InvoiceGroup | undefined {
    this.#count();
    const values: Partial<Record<TermId, InvoiceValue[]>> = {};
    for (const { term, entries } of terms) {
      const found = this.#entries({ id: term.id, entries, missing }, scope, (entry, inner) =>
        this.#value(term, entry, inner, missing),
      );
      if (found.length > 0) values[term.id] = found;
    }
    const children: Partial<Record<GroupId, InvoiceGroup[]>> = {};
    for (const { group: child, entries } of groups) {
      const found = this.#entries({ id: child.id, entries, missing }, scope, (entry, inner) =>
        this.#group(entry, inner, child.isList ? {} : missing),
      );
      if (found.length > 0) children[child.id] = found;
    }
    const isEmpty = Object.keys(values).length === 0 && Object.keys(children).length === 0;
    if (isEmpty && group.id !== 'BG-0') return undefined;
    const path = scope.pointer;
    return { id: group.id, ...(path !== '' && { path }), terms: values, groups: children, missing };
  }

  #entries<T extends object, R>(
    { entries, ...target }: Target & { readonly entries: Entries<T> },
    scope: Scope,
    expandEntry: (entry: T, scope: Scope) => R | undefined,
  ): R[] {
    return entries
      .flatMap((entry) =>
        isEach(entry)
          ? this.#items(target, entry.each, scope).map((inner) => expandEntry(entry.item, inner))
          : [expandEntry(entry, scope)],
      )
      .filter((found) => found !== undefined);
  }

  /** A list that the data does not have counts as empty. */
  #items({ id, missing }: Target, list: hbs.AST.PathExpression, scope: Scope): Scope[] {
    const { value = null, pointer } = resolvePath(scope, list);
    missing[id] = pointer;
    if (value === null) return [];
    if (!Array.isArray(value)) {
      this.#report({
        rule: 'list-invalid',
        path: pointer,
        term: termTitle(id),
        message: `${list.original} must be a list.`,
      });
      return [];
    }
    const last = value.length - 1;
    this.#count(value.length);
    return value.map((item: unknown, index) => ({
      value: item,
      pointer: `${pointer}/${index}`,
      parent: scope,
      variables: { index, key: index, first: index === 0, last: index === last },
    }));
  }

  #value(
    term: Term,
    { binding, scheme, version }: MappedValue,
    scope: Scope,
    missing: Missing,
  ): InvoiceValue | undefined {
    const found = this.#evaluated(term, binding, scope);
    if (!found) return undefined;
    if ('missing' in found) {
      missing[term.id] = found.missing ?? scope.pointer;
      return undefined;
    }
    const problem = valueProblem(term, found.value);
    if (problem !== undefined) return this.#invalid(term, problem, found.path);
    const [schemeText, versionText] = [scheme, version].map((text) => this.#text(term, text, scope));
    return {
      ...found,
      ...(schemeText !== undefined && { scheme: schemeText }),
      ...(versionText !== undefined && { version: versionText }),
    };
  }

  #text(term: Term, binding: Binding | undefined, scope: Scope): string | undefined {
    const found = binding && this.#evaluated(term, binding, scope);
    if (!found || 'missing' in found) return undefined;
    const problem = valueProblem({ type: 'text' }, found.value);
    return problem === undefined ? found.value : this.#invalid(term, problem, found.path);
  }

  /** If the binding has a problem, reports it and returns undefined. */
  #evaluated(
    term: Term,
    binding: Binding,
    scope: Scope,
  ): { value: string; path?: string } | { missing: string | undefined } | undefined {
    const found = this.#evaluator.evaluate(binding, scope);
    if ('problem' in found) return this.#invalid(term, found.problem, found.path);
    if ('value' in found) this.#characters += found.value.length;
    if (this.#characters > E_INVOICE_XML_BYTES) this.#abort();
    return found;
  }

  #invalid(term: Term, problem: string, path: string | undefined): undefined {
    const title = termTitle(term.id);
    this.#report({
      rule: 'value-invalid',
      ...(path !== undefined && { path }),
      term: title,
      message: `${title} ${problem}.`,
    });
  }

  #report(problem: InvoiceProblem): void {
    this.problems.push(problem);
    if (this.problems.length >= E_INVOICE_PROBLEMS) throw new Abort();
  }

  #count(groups = 1): void {
    this.#groups += groups;
    if (this.#groups > E_INVOICE_GROUPS) this.#abort();
  }

  #abort(): never {
    this.problems.push(TOO_LARGE);
    throw new Abort();
  }
}

/** The XML would be too large. */
export const TOO_LARGE: InvoiceProblem = {
  rule: 'too-large',
  message: `The invoice is too large: the limits are ${E_INVOICE_XML_BYTES / 1024 / 1024} MiB of XML, and ${E_INVOICE_GROUPS} lines and other groups.`,
};
