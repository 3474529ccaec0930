import { nameOf, type OpenApi, type Schema } from './openapi-document.ts';

/** A field of an object, in the docs' notation: `items[].data`. */
export interface Field {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Markdown without line breaks. */
  readonly meaning: string;
}

/** Parts of the document with the schemas that a field table uses. */
export interface SchemaContext {
  readonly schemas: OpenApi['schemas'];
  /** Returns the text a row shows instead of an object's fields, by the object's schema name or path. */
  readonly insteadOf: (name: string | undefined, path: string) => string | undefined;
  /** Whether patterns are shown. @default false */
  readonly showsPatterns?: boolean;
}

/** Returns the fields of an object and of the objects inside it. */
export function fieldsOf(schema: Schema, context: SchemaContext, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolved(schema, context.schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = prefix + name;
    const field = {
      path,
      type: typeOf(property, context.schemas),
      isRequired: required.includes(name),
      meaning: meaningOf(property, context, path),
    };
    return [field, ...innerFields(property, context, path)];
  });
}

function innerFields(schema: Schema, context: SchemaContext, path: string): Field[] {
  const value = withoutNull(schema);
  if (context.insteadOf(nameOf(value), path) !== undefined) return [];
  const { items, properties } = resolved(value, context.schemas);
  if (items) return innerFields(items, context, `${path}[]`);
  return properties ? fieldsOf(value, context, `${path}.`) : [];
}

/**
 * Returns the schema behind a reference. For alternative objects, returns one object with all their fields; the
 * description of a field that only some of them have names their `status`.
 */
export function resolved(schema: Schema, schemas: OpenApi['schemas']): Schema {
  const name = nameOf(schema);
  const target = name === undefined ? schema : schemas[name];
  if (!target) throw new Error(`docs/openapi.json has no schema ${name}`);
  const { anyOf, oneOf = anyOf, ...rest } = target;
  if (!oneOf) return target;
  const variants = oneOf.map((variant) => resolved(variant, schemas));
  return variants.every(({ properties }) => properties) ? { ...rest, ...united(variants) } : target;
}

function united(variants: readonly Schema[]): Schema {
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const having = variants.filter(({ properties = {} }) => properties[name]);
    const [first = {}] = having.map(({ properties = {} }) => properties[name] ?? {});
    if (name === 'status') return [name, { type: 'string', enum: having.flatMap(statusesOf) }];
    if (having.length === variants.length) return [name, first];
    const states = having.flatMap(statusesOf).map((state) => `\`${state}\``);
    const description = `${first.description ?? ''} Only with the status ${states.join(', ')}.`.trim();
    return [name, { ...first, description }];
  });
  const required = names.filter((name) => variants.every(({ required = [] }) => required.includes(name)));
  return { properties: Object.fromEntries(properties) as Record<string, Schema>, required };
}

function statusesOf({ properties = {} }: Schema): string[] {
  const { const: only = '', enum: values = [only] } = properties['status'] ?? {};
  return values.map(String);
}

function withoutNull(schema: Schema): Schema {
  const [value, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return value && others.length === 0 ? value : schema;
}

/** Returns a value's type in plain words: `list of strings or null`. */
export function typeOf(schema: Schema, schemas: OpenApi['schemas']): string {
  const value = withoutNull(schema);
  const types = [resolved(value, schemas).type ?? []].flat();
  const orNull = value !== schema || types.includes('null') ? ' or null' : '';
  const kinds = types.filter((type) => type !== 'null');
  return (
    (kinds.length === 0 ? 'any' : kinds.map((kind) => kindOf(kind, value, schemas)).join(' or ')) + orNull
  );
}

function kindOf(kind: string, schema: Schema, schemas: OpenApi['schemas']): string {
  const { format, items, additionalProperties } = resolved(schema, schemas);
  if (kind === 'array') return items ? `list of ${plural(typeOf(items, schemas))}` : 'list';
  if (format === 'date-time') return 'time';
  const isMap = kind === 'object' && typeof additionalProperties === 'object';
  return isMap ? `object of ${plural(typeOf(additionalProperties, schemas))}` : kind;
}

function plural(type: string): string {
  return type === 'any' ? 'any values' : `${type}s`;
}

/** Returns the description of a value, with its values, limits and default. */
export function meaningOf(schema: Schema, context: SchemaContext, path: string): string {
  const value = withoutNull(schema);
  const inner = resolved(value, context.schemas);
  const instead = context.insteadOf(nameOf(value) ?? nameOf(inner.items), path);
  const description = schema.description ?? inner.description;
  const pattern = context.showsPatterns && inner.pattern ? `Pattern: \`${inner.pattern}\`.` : undefined;
  const parts = [description, instead, ...(instead === undefined ? [...limitsOf(inner), pattern] : [])];
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ');
  return inCell(text);
}

/** Returns text that fits in one table cell and contains no HTML. */
function inCell(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
  const pieces = line.split(/(`[^`]*`)/);
  return pieces.map((piece) => (piece.startsWith('`') ? piece : piece.replaceAll('<', '&lt;'))).join('');
}

function limitsOf(schema: Schema): (string | undefined)[] {
  const { minimum, maximum } = schema;
  return [
    valuesText(schema),
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    defaultText(schema),
  ];
}

/** Returns the possible values, unless the description names all of them. */
function valuesText({ enum: values, const: only, items, description = '' }: Schema): string | undefined {
  if (only !== undefined) return `Always \`${String(only)}\`.`;
  const shown = (values ?? items?.enum ?? []).map((value) => `\`${String(value)}\``);
  if (shown.every((value) => description.includes(value))) return undefined;
  return `${items ? 'Values:' : 'One of:'} ${shown.join(', ')}.`;
}

function defaultText({ default: value, description = '' }: Schema): string | undefined {
  if (value === undefined || description.includes('Default')) return undefined;
  return `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
}

/** `1 to 200 characters.` A minimum of 0 or 1 alone is omitted, because readers expect it. */
function range(least = 0, most: number | undefined, unit = ''): string | undefined {
  if (most !== undefined) return least === 0 ? `At most ${most}${unit}.` : `${least} to ${most}${unit}.`;
  return least <= 1 ? undefined : `At least ${least}${unit}.`;
}
