import { isObject } from '../encoding/json.ts';

type Step = (value: unknown) => unknown[];

/**
 * Compiles the JSONPath of a printer column: `.a.b`, `.a[0]`, `.a[*].b`, `.a['b.c']`, `.a[?(@.type=="Ready")].status`.
 * The result lists every value found. Throws for a path outside of this subset.
 */
export function compileJsonPath(path: string): (value: unknown) => unknown[] {
  const steps: Step[] = [];
  let rest = path.replace(/^\{(.*)\}$/, '$1');
  while (rest !== '') {
    const [step, length] = firstStep(rest, path);
    steps.push(step);
    rest = rest.slice(length);
  }
  return (value) => steps.reduce<unknown[]>((found, step) => found.flatMap((item) => step(item)), [value]);
}

const MEMBER = /^\.([A-Za-z_][\w-]*)/;
const QUOTED = /^\[(['"])(.*?)\1\]/;
const INDEX = /^\[(-?\d+)\]/;
const ALL = /^(?:\[\*\]|\.\*)/;
const FILTER = /^\[\?\(@((?:\.[\w-]+)+)\s*(==|!=)\s*(?:(['"])(.*?)\3|(true|false|-?\d+(?:\.\d+)?))\)\]/;

function firstStep(rest: string, path: string): [Step, number] {
  const simple = MEMBER.exec(rest) ?? /^\[(?:['"])(.*?)(?:['"])\]/.exec(rest);
  if (simple) {
    const name = QUOTED.exec(rest)?.[2] ?? simple[1] ?? '';
    return [
      (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []),
      simple[0].length,
    ];
  }
  const index = INDEX.exec(rest);
  if (index) {
    const at = Number(index[1]);
    return [(value) => (Array.isArray(value) ? value.slice(at, at + 1 || undefined) : []), index[0].length];
  }
  const all = ALL.exec(rest);
  if (all)
    return [(value) => (typeof value === 'object' && value ? Object.values(value) : []), all[0].length];
  const filter = FILTER.exec(rest);
  if (filter) return [filterStep(filter), filter[0].length];
  throw new Error(`JSONPath that is not supported: ${path}`);
}

function filterStep(match: RegExpExecArray): Step {
  const [, member = '', operator, quote, text, literal] = match;
  const wanted: unknown = quote === undefined ? JSON.parse(literal ?? 'null') : text;
  const read = compileJsonPath(member);
  return (value) =>
    Array.isArray(value) ? value.filter((item) => (read(item)[0] === wanted) === (operator === '==')) : [];
}
