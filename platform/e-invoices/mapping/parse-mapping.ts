import type { EInvoiceProfile, EInvoiceSpec } from '../e-invoice-spec.ts';
import { PROFILES } from '../profiles.ts';
import type { Group, Term } from '../terms/term.ts';
import { INVOICE, termTitle } from '../terms/terms.ts';
import { constantProblem } from '../terms/value-types.ts';
import { declaredTerm } from './declared-term.ts';
import { parseBinding, parseListPath, type Binding } from './binding.ts';
import type { Each, Entries, MappedGroup, MappedValue } from './mapped.ts';

/** A mistake in a mapping. `path`: names and indexes. */
export interface Mistake {
  readonly path: readonly string[];
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Parse<T> = (value: unknown, path: readonly string[]) => T | undefined;

/** Parses a mapping against the table of terms, and collects its mistakes. */
export class MappingParser {
  readonly mistakes: Mistake[] = [];
  readonly #profile: EInvoiceProfile;

  constructor(profile: EInvoiceProfile) {
    this.#profile = profile;
  }

  parse(mapping: EInvoiceSpec['mapping']): MappedGroup {
    return this.#terms(INVOICE, mapping, []);
  }

  #report(path: readonly string[], message: string): undefined {
    this.mistakes.push({ path, message });
  }

  #group(group: Group, value: unknown, path: readonly string[]): MappedGroup | undefined {
    if (isFields(value)) return this.#terms(group, value, path);
    return this.#report(path, `${termTitle(group.id)} must be an object of business terms`);
  }

  #terms(group: Group, fields: Fields, path: readonly string[]): MappedGroup {
    const terms: { term: Term; entries: Entries<MappedValue> }[] = [];
    const groups: { group: Group; entries: Entries<MappedGroup> }[] = [];
    const seen = new Set<string>();
    for (const [key, content] of Object.entries(fields)) {
      const at = [...path, key];
      const declared = declaredTerm(group, key, this.#profile);
      if (typeof declared === 'string') {
        this.#report(at, declared);
        continue;
      }
      if (seen.has(declared.id)) this.#report(at, `${declared.id} is mapped twice`);
      seen.add(declared.id);
      if ('groups' in declared) {
        const parse: Parse<MappedGroup> = (entry, place) => this.#group(declared, entry, place);
        groups.push({ group: declared, entries: this.#entries(declared, parse, content, at) });
      } else {
        const parse: Parse<MappedValue> = (entry, place) => this.#value(declared, entry, place);
        terms.push({ term: declared, entries: this.#entries(declared, parse, content, at) });
      }
    }
    this.#checkRequired(group, seen, path);
    return { group, terms, groups };
  }

  #checkRequired({ id, terms, groups }: Group, seen: ReadonlySet<string>, path: readonly string[]): void {
    const { required } = PROFILES[this.#profile];
    const isNeeded = (entry: Term | Group): boolean => entry.isRequired || required.includes(entry.id);
    for (const entry of [...terms, ...groups].filter(isNeeded)) {
      if (seen.has(entry.id)) continue;
      const place = id === 'BG-0' ? 'the mapping' : termTitle(id);
      this.#report(path, `${place} needs "${termTitle(entry.id)}"`);
    }
  }

  #entries<T>(declared: Term | Group, parse: Parse<T>, value: unknown, path: readonly string[]): Entries<T> {
    const title = termTitle(declared.id);
    if (!Array.isArray(value)) {
      if (isFields(value) && 'each' in value && !declared.isList) {
        this.#report(path, `"${title}" occurs once: "each" is not allowed`);
        return [];
      }
      return this.#entry(parse, value, path);
    }
    if (!declared.isList) this.#report(path, `"${title}" occurs once: a list is not allowed`);
    else if (value.length === 0) this.#report(path, `"${title}" is an empty list`);
    return value.flatMap((entry, index) => this.#entry(parse, entry, [...path, String(index)]));
  }

  #entry<T>(parse: Parse<T>, value: unknown, path: readonly string[]): readonly (T | Each<T>)[] {
    if (!isFields(value) || !('each' in value)) {
      const parsed = parse(value, path);
      return parsed === undefined ? [] : [parsed];
    }
    const list = this.#listPath(value, path);
    if (value['item'] === undefined) {
      this.#report(path, '"item" is missing: the mapping of one list item');
      return [];
    }
    const item = parse(value['item'], [...path, 'item']);
    return list === undefined || item === undefined ? [] : [{ each: list, item }];
  }

  #listPath(fields: Fields, path: readonly string[]): hbs.AST.PathExpression | undefined {
    const other = Object.keys(fields).find((name) => name !== 'each' && name !== 'item');
    if (other !== undefined) this.#report([...path, other], 'a list has only the fields "each" and "item"');
    const { each } = fields;
    const list = typeof each === 'string' ? parseListPath(each) : '"each" must be a string';
    return typeof list === 'string' ? this.#report([...path, 'each'], list) : list;
  }

  #value(term: Term, value: unknown, path: readonly string[]): MappedValue | undefined {
    if (typeof value === 'string') return this.#plainValue(term, value, path);
    if (!isFields(value) || !term.scheme) {
      const scheme = term.scheme ? ', or an object with "value" and "scheme"' : '';
      return this.#report(path, `"${termTitle(term.id)}" must be a string${scheme}`);
    }
    return this.#valueWithScheme(term, value, path);
  }

  #plainValue(term: Term, text: string, path: readonly string[]): MappedValue | undefined {
    if (term.scheme?.isRequired === true) {
      return this.#report(path, `"${termTitle(term.id)}" must be an object with "value" and "scheme"`);
    }
    const binding = this.#binding(text, path);
    if (binding?.isConstant === true) {
      const problem = constantProblem(term, binding.text.trim());
      if (problem !== undefined) this.#report(path, `"${termTitle(term.id)}" ${problem}`);
    }
    return binding && { binding };
  }

  #valueWithScheme(term: Term, fields: Fields, path: readonly string[]): MappedValue | undefined {
    const allowed = ['value', 'scheme', ...(term.id === 'BT-158' ? ['version'] : [])];
    const unknown = Object.keys(fields).find((name) => !allowed.includes(name));
    if (unknown !== undefined) this.#report([...path, unknown], `allowed fields: ${allowed.join(', ')}`);
    if (!('value' in fields)) return this.#report(path, '"value" is missing');
    if (term.scheme?.isRequired === true && !('scheme' in fields)) this.#report(path, '"scheme" is missing');
    const [binding, scheme, version] = ['value', 'scheme', 'version'].map((name) => {
      const text = fields[name];
      if (text === undefined) return undefined;
      if (typeof text !== 'string') return this.#report([...path, name], `"${name}" must be a string`);
      return this.#binding(text, [...path, name]);
    });
    return binding && { binding, ...(scheme && { scheme }), ...(version && { version }) };
  }

  #binding(text: string, path: readonly string[]): Binding | undefined {
    if (text.trim() === '') return this.#report(path, 'the string is empty');
    const binding = parseBinding(text);
    return typeof binding === 'string' ? this.#report(path, binding) : binding;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
