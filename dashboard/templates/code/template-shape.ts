import { UNKNOWN_SHAPE, type DataShape } from './data-shape.ts';
import { readCall, typeOfLiteral, type Argument, type Call } from './expression.ts';
import { findHelper } from './helpers.ts';
import { pathInScope, walkTags } from './template-scope.ts';

/** Types that a template can show, from weakest to strongest: a number can also be printed and tested. */
const TYPES = ['boolean', 'string', 'date', 'number', 'object', 'array'] as const;
type UsedType = (typeof TYPES)[number];

interface UsedShape {
  type?: UsedType;
  readonly members: Map<string, UsedShape>;
  item?: UsedShape;
}

/** Maximum nesting depth of a schema. */
const DEEPEST = 20;

/** Returns the data that the bindings in strings need, with the types that their helpers expect. */
export function shapeOfTemplate(texts: readonly string[]): DataShape {
  const root: UsedShape = { members: new Map() };
  for (const text of texts) {
    walkTags(text, UNKNOWN_SHAPE, ({ isBlock, content, scope }) => {
      for (const { path, type, within } of usesOf(readCall(content), isBlock)) {
        const steps = pathInScope(path, scope);
        if (steps) use(root, [...steps, ...within], type);
      }
    });
  }
  return root;
}

/** A path in an expression, and its use. */
interface Use {
  readonly path: string;
  readonly type: UsedType;
  /** Part of the value that has the type: its items, or a property of its items. @default the value itself */
  readonly within: readonly string[];
}

function usesOf(call: Call, isBlock = false): Use[] {
  const [head, ...values] = call.values;
  if (head === undefined) return [];
  if (typeof head !== 'string') return usesOf(head);
  if (values.length === 0 && call.named.length === 0) {
    return usesOfArgument(head, isBlock ? 'condition' : 'text', values);
  }
  const helper = findHelper(head);
  const types = Object.values(helper?.parameters ?? {});
  return [
    ...values.flatMap((value, index) =>
      usesOfArgument(value, types[Math.min(index, types.length - 1)] ?? 'text', values),
    ),
    ...call.named.flatMap(([name, value]) => usesOfArgument(value, helper?.named[name] ?? 'text', values)),
  ];
}

/** `expected`: argument type of the helper. `values`: positional arguments of the call. */
function usesOfArgument(value: Argument, expected: string, values: readonly Argument[]): Use[] {
  if (typeof value !== 'string') return usesOf(value);
  if (typeOfLiteral(value) !== undefined) return [];
  switch (expected) {
    case 'numbers': {
      const [, field = ''] = values;
      const isField = typeof field === 'string' && typeOfLiteral(field) === 'string';
      return [{ path: value, type: 'number', within: isField ? ['*', field.slice(1, -1)] : ['*'] }];
    }
    case 'texts':
      return [{ path: value, type: 'string', within: ['*'] }];
    default:
      return [{ path: value, type: typeOf(expected, values), within: [] }];
  }
}

const USED_TYPES: Readonly<Record<string, UsedType>> = {
  condition: 'boolean',
  date: 'date',
  list: 'array',
  number: 'number',
  object: 'object',
  text: 'string',
};

/** A comparison expects the type of its literal. */
function typeOf(expected: string, values: readonly Argument[]): UsedType {
  const used = USED_TYPES[expected];
  if (used) return used;
  const literals = values.map((value) => (typeof value === 'string' ? typeOfLiteral(value) : undefined));
  const literal = literals.find((type) => type !== undefined && type !== 'null');
  if (literal === 'number' || literal === 'boolean' || literal === 'string') return literal;
  return expected === 'comparable' ? 'number' : 'string';
}

function use(root: UsedShape, path: readonly string[], type: UsedType): void {
  if (path.length === 0 || path.length > DEEPEST) return;
  const shape = path.reduce(step, root);
  if (shape.type === undefined || TYPES.indexOf(type) > TYPES.indexOf(shape.type)) shape.type = type;
}

function step(shape: UsedShape, name: string): UsedShape {
  if (name === '*') return (shape.item ??= { members: new Map() });
  const member = shape.members.get(name) ?? { members: new Map() };
  shape.members.set(name, member);
  return member;
}
