import { appendChild, trimXml, type XmlElement } from './xml-element.ts';

/**
 * One step of a path. A path is steps separated by `/`:
 *
 * - `Name`: the child with this name, created if it is absent;
 * - `Name*`: one child for each value or group;
 * - `Name+`: the first child with this name, which a group creates; nothing if there is none;
 * - `Name[Path=value]`: the child in which the element at `Path` has this value; `$BT-5` is the value of that term;
 * - `Name{Path=value}`: a constant of the syntax, which is written and not searched for;
 * - `Name{Path~value}`: the same, but other invoices may have another value;
 * - `..`: the parent;
 * - `@name`: an attribute, at the end.
 */
interface Step {
  readonly name: string;
  readonly repeat: 'one' | 'each' | 'existing';
  readonly condition?: Constant;
  readonly constant?: Constant;
}

interface Constant {
  readonly path: Path;
  readonly value: string;
  /** Whether other invoices may have another value. */
  readonly isExample: boolean;
}

export interface Path {
  readonly steps: readonly Step[];
  readonly attribute?: string;
}

/** Adds the prefix that a syntax omits in its paths. `isLast`: the step is the element of a value. */
export type Prefix = (name: string, isLast: boolean) => string;

const SEPARATOR = /\/(?![^[{]*[\]}])/;
const STEP = /^(?<name>[\w:.]+)(?<repeat>[*+]?)(?:\[(?<condition>[^\]]+)\])?(?:\{(?<constant>[^}]+)\})?$/;
const REPEATS = { '': 'one', '*': 'each', '+': 'existing' } as const;

/** Parses a path from the term table. Throws if the path is wrong, which is a bug. */
export function parsePath(text: string, prefix: Prefix, isValue = true): Path {
  const parts = text === '' || text === '.' ? [] : text.split(SEPARATOR);
  const isAttribute = parts.at(-1)?.startsWith('@') ?? false;
  const names = isAttribute ? parts.slice(0, -1) : parts;
  const steps = names.map((part, index) => parseStep(part, prefix, isValue && index === names.length - 1));
  return { steps, ...(isAttribute && { attribute: parts.at(-1)?.slice(1) ?? '' }) };
}

function parseStep(part: string, prefix: Prefix, isLast: boolean): Step {
  if (part === '..') return { name: '..', repeat: 'one' };
  const found = STEP.exec(part)?.groups;
  if (found === undefined) throw new Error(`invalid step ${part}`);
  const { name = '', repeat = '', condition, constant } = found;
  return {
    name: name.includes(':') ? name : prefix(name, isLast),
    repeat: REPEATS[repeat as keyof typeof REPEATS],
    ...(condition !== undefined && { condition: parseConstant(condition, prefix) }),
    ...(constant !== undefined && { constant: parseConstant(constant, prefix) }),
  };
}

function parseConstant(text: string, prefix: Prefix): Constant {
  const [path = '', value = ''] = text.split(/[=~]/);
  return { path: parsePath(path, prefix), value, isExample: text.includes('~') };
}

/** Returns the value of a term that a path refers to. */
export type Lookup = (id: string) => string;

/** Returns the elements at the path and creates those that are absent. */
export function createAt(from: XmlElement, { steps }: Path, lookup: Lookup): readonly XmlElement[] {
  let found: readonly XmlElement[] = [from];
  for (const step of steps) found = found.flatMap((element) => createStep(element, step, lookup));
  return found;
}

function createStep(element: XmlElement, step: Step, lookup: Lookup): readonly XmlElement[] {
  if (step.name === '..') return element.parent ? [element.parent] : [];
  // Thousands of lines must not search for each other.
  const existing = step.repeat === 'each' ? [] : childrenAt(element, step, lookup);
  if (step.repeat === 'existing' || existing.length > 0) return existing.slice(0, 1);
  const created = appendChild(element, step.name);
  for (const { path, value } of constantsOf(step)) {
    setAt(created, path, resolved(value, lookup), lookup);
  }
  return [created];
}

/** Sets the text or the attribute at a path. Returns the elements. */
export function setAt(from: XmlElement, path: Path, value: string, lookup: Lookup): readonly XmlElement[] {
  const elements = createAt(from, path, lookup);
  for (const element of elements) {
    if (path.attribute === undefined) element.text = value;
    else element.attributes.set(path.attribute, value);
  }
  return elements;
}

/** Receives what a search finds along a path. */
export interface PathVisitor {
  /** An element on the path, or below it in a condition or constant. */
  readonly element: (element: XmlElement) => void;
  /** The node of a condition, or of a constant that has its value. The condition or constant belongs to `owner`. */
  readonly constant: (owner: XmlElement, element: XmlElement, attribute: string | undefined) => void;
  /** An element without its constant. */
  readonly different: (element: XmlElement) => void;
  /** More elements than the path allows. */
  readonly repeated: (element: XmlElement) => void;
}

/** Returns the elements at the path that exist. */
export function findAt(
  from: XmlElement,
  { steps }: Path,
  lookup: Lookup,
  visitor?: PathVisitor,
): readonly XmlElement[] {
  let found: readonly XmlElement[] = [from];
  for (const step of steps) found = found.flatMap((element) => findStep(element, step, lookup, visitor));
  return found;
}

function findStep(
  element: XmlElement,
  step: Step,
  lookup: Lookup,
  visitor: PathVisitor | undefined,
): readonly XmlElement[] {
  if (step.name === '..') return element.parent ? [element.parent] : [];
  const children = childrenAt(element, step, lookup);
  if (visitor) for (const child of children) visitChild(child, step, lookup, visitor);
  if (step.repeat === 'one' && children[1]) visitor?.repeated(children[1]);
  return children;
}

function visitChild(child: XmlElement, step: Step, lookup: Lookup, visitor: PathVisitor): void {
  visitor.element(child);
  for (const { path, value, isExample } of constantsOf(step)) {
    const nodes = findAt(child, path, lookup, visitor);
    const equal = nodes.filter(
      (node) => isExample || valueAt(node, path.attribute) === resolved(value, lookup),
    );
    for (const node of equal) visitor.constant(child, node, path.attribute);
    if (equal.length === 0) visitor.different(child);
  }
}

function constantsOf({ condition, constant }: Step): Constant[] {
  return [condition, constant].filter((declared) => declared !== undefined);
}

/** Returns the text or the attribute at a path; undefined if there is none. */
export function textAt(from: XmlElement, path: Path, lookup: Lookup): string | undefined {
  return findAt(from, path, lookup)
    .map((element) => valueAt(element, path.attribute))
    .find((text) => text !== undefined);
}

/** Returns an attribute, or the text, without white space at its ends. */
function valueAt(element: XmlElement, attribute: string | undefined): string | undefined {
  return attribute === undefined ? trimXml(element.text) : element.attributes.get(attribute);
}

function childrenAt(element: XmlElement, { name, condition }: Step, lookup: Lookup): XmlElement[] {
  const named = element.children.filter((child) => child.name === name);
  if (condition === undefined) return named;
  const value = resolved(condition.value, lookup);
  return named.filter((child) => textAt(child, condition.path, lookup) === value);
}

function resolved(value: string, lookup: Lookup): string {
  return value.startsWith('$') ? lookup(value.slice(1)) : value;
}
