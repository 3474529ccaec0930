import type { TemplateSchema } from '@trifold/client';
import { fieldsOfShape, mergedShape, shapeOfData, type DataShape } from '../../code/data-shape.ts';
import { shapeOfTemplate } from '../../code/template-shape.ts';
import { formatJson, isObject, objectIn, parseObject } from '../../json-text.ts';
import { withMissingField, withSample } from '../../problems/data-fixes.ts';
import { templateOfMapping } from '../../e-invoices/template-of-mapping.ts';
import { sampleFromSchema } from '../panels/sample-from-schema.ts';

/** Strings with bindings. */
interface BoundTexts {
  readonly html: string;
  /** JSON of the default options: the header, the footer and the document properties have bindings. */
  readonly options?: string;
  readonly email?: { readonly subject: string; readonly preheader: string; readonly text: string };
  /** JSON of an e-invoice's mapping. */
  readonly mapping?: string;
}

/** Returns the data that a template needs, inferred from its bindings. */
function dataOfTemplate({ html, options = '', email, mapping = '' }: BoundTexts): DataShape {
  const { members, ...rest } = shapeOfTemplate(textsIn(objectIn(options)));
  // The service provides these.
  const others = Array.from(members).filter(([name]) => name !== 'page' && name !== 'pages');
  const emailTexts = email ? [email.subject, email.preheader, email.text] : [];
  const bound = [html, ...emailTexts, templateOfMapping(objectIn(mapping))];
  return mergedShape(shapeOfTemplate(bound), { ...rest, members: new Map(others) });
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns a schema extended with the missing fields of a shape. */
function withShape(schema: unknown, shape: DataShape): unknown {
  return fieldsOfShape(shape).reduce<unknown>(
    (changed, { path, field }) => withMissingField(changed, path, field) ?? changed,
    schema ?? { fields: [] },
  );
}

/** A schema and sample data as JSON strings. */
interface DataTexts {
  readonly schema: string;
  readonly data: string;
}

/**
 * Adds the fields that the template needs to the schema and the data, where they are missing. Undefined while either is
 * not valid JSON.
 */
export function completedData(template: BoundTexts, { schema, data }: DataTexts): DataTexts | undefined {
  const [parsedSchema, parsedData] = [parseObject(schema), parseObject(data)];
  if ('problem' in parsedSchema || 'problem' in parsedData) return undefined;
  const changed = withShape(parsedSchema.value, dataOfTemplate(template));
  const sample = withSample(parsedData.value ?? {}, sampleFromSchema(changed));
  return { schema: formatJson(changed), data: formatJson(sample) };
}

/**
 * Adds the data's fields to the schema, where they are missing. Undefined while the schema or the data is not valid
 * JSON.
 */
export function schemaWithData({ schema, data }: DataTexts): string | undefined {
  const [parsedSchema, parsedData] = [parseObject(schema), parseObject(data)];
  if ('problem' in parsedSchema || 'problem' in parsedData) return undefined;
  return formatJson(withShape(parsedSchema.value, shapeOfData(parsedData.value ?? {})));
}

/** Derives the schema and the sample data of a new template from its bindings; undefined if it has none. */
export function dataOfBindings(html: string) {
  const shape = dataOfTemplate({ html });
  const count = fieldsOfShape(shape).length;
  if (count === 0) return undefined;
  const schema = withShape(null, shape) as TemplateSchema;
  return { schema, data: sampleFromSchema(schema), count };
}
