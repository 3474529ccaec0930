import { badRequest } from './status-error.ts';
import { valueAt } from '../encoding/json.ts';
import type { StoredObject } from './stored-object.ts';

export type Matcher = (object: StoredObject) => boolean;

const OPERATOR = /^\s*([^\s!=,()<>]+)\s*(==|!=|=|\s+notin\s*\(|\s+in\s*\(|$)/;

/**
 * Parses a label selector (Kubernetes "Labels and Selectors"), without `>` and `<`. Throws StatusError 400 for an
 * invalid one.
 */
export function parseLabelSelector(text: string): Matcher | undefined {
  const requirements = splitRequirements(text).map((part) => labelRequirement(part));
  if (requirements.length === 0) return undefined;
  return (object) => {
    const labels = labelsOf(object);
    return requirements.every((holds) => holds(labels));
  };
}

/** Created without a prototype, so that a label such as `constructor` is absent unless the object has it. */
function labelsOf({ metadata }: StoredObject): Labels {
  return Object.assign(Object.create(null) as Record<string, string>, metadata.labels);
}

type Labels = Readonly<Record<string, string>>;

function labelRequirement(text: string): (labels: Labels) => boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith('!')) {
    const key = checkedLabelKey(trimmed.slice(1).trim());
    return (labels) => labels[key] === undefined;
  }
  const match = OPERATOR.exec(trimmed);
  if (!match) throw badRequest(`unable to parse requirement: ${JSON.stringify(text)}`);
  const key = checkedLabelKey(match[1] ?? '');
  return comparison(key, (match[2] ?? '').trim().replace('(', '').trim(), trimmed.slice(match[0].length));
}

function comparison(key: string, operator: string, rest: string): (labels: Labels) => boolean {
  switch (operator) {
    case '':
      return (labels) => labels[key] !== undefined;
    case 'in':
    case 'notin': {
      const values = setOf(rest);
      // As in Kubernetes, `notin` also matches objects without the label.
      return operator === 'in'
        ? (labels) => values.has(labels[key] ?? MISSING)
        : (labels) => !values.has(labels[key] ?? MISSING);
    }
    default: {
      const value = checkedLabelValue(rest.trim());
      return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
    }
  }
}

/** Represents an absent label; no label value can contain it. */
const MISSING = '\u0000';

function setOf(text: string): Set<string> {
  const list = text.trim();
  if (!list.endsWith(')')) throw badRequest(`unable to parse requirement: found '${list}', expected: ')'`);
  return new Set(
    list
      .slice(0, -1)
      .split(',')
      .map((value) => checkedLabelValue(value.trim())),
  );
}

/** Splits at commas outside the parentheses of a set. */
function splitRequirements(text: string): string[] {
  const parts = text.split(/,(?![^(]*\))/);
  return parts.length === 1 && (parts[0] as string).trim() === '' ? [] : parts;
}

function checkedLabelKey(key: string): string {
  if (!/^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(key))
    throw badRequest(`unable to parse requirement: key: Invalid value: ${JSON.stringify(key)}`);
  return key;
}

function checkedLabelValue(value: string): string {
  if (value.length > 63 || !/^([A-Za-z0-9]([-\w.]*[A-Za-z0-9])?)?$/.test(value))
    throw badRequest(`unable to parse requirement: values: Invalid value: ${JSON.stringify(value)}`);
  return value;
}

/** Selectable fields of a kind; each function defines the value of an absent field. */
export type SelectableFields = ReadonlyMap<string, (object: StoredObject) => string>;

/** Returns a selectable field that reads the value at a path; an absent value is the empty string. */
export function fieldAt(path: readonly string[]): (object: StoredObject) => string {
  return (object) => {
    const value = valueAt(object, path);
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
  };
}

/** A field selector and the exact name it requires, which narrows a list to one key. */
export interface FieldSelector {
  readonly matches: Matcher;
  /** From `metadata.name=x`. */
  readonly name: string | undefined;
}

/** Parses `a=b,c!=d` over the fields of a kind. Throws StatusError 400 for unknown fields and other operators. */
export function parseFieldSelector(text: string, fields: SelectableFields): FieldSelector | undefined {
  const terms = text.split(/(?<!\\),/).filter((part) => part !== '');
  if (terms.length === 0) return undefined;
  let name: string | undefined;
  const tests = terms.map((part) => {
    const { field, negated, value } = fieldTerm(part, text);
    const read = fields.get(field);
    if (!read) throw badRequest(`field label not supported: ${field}`);
    if (field === 'metadata.name' && !negated) name = value;
    return (object: StoredObject) => (read(object) === value) !== negated;
  });
  return { matches: (object) => tests.every((test) => test(object)), name };
}

function fieldTerm(part: string, whole: string): { field: string; negated: boolean; value: string } {
  const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(part);
  if (!match) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`);
  const value = (match[3] ?? '').replaceAll(/\\([\\,=])/g, '$1');
  return { field: match[1] ?? '', negated: match[2] === '!=', value };
}
