import { mergedShape, shapeOfData, shapeOfSchema, type DataShape } from '../../code/data-shape.ts';
import { parseObject } from '../../json-text.ts';
import type { EditedTemplate } from './edited-template.ts';

/** Additional bindings in headers and footers. They take precedence over the data. */
const PAGE_NUMBERS = shapeOfData({ page: 1, pages: 1 });

/** Returns what the schema and the sample data say about the data. */
export function bindingsOf({ draft, data }: EditedTemplate): DataShape {
  const [schema, sample] = [parseObject(draft.value.schema), parseObject(data.value)];
  return mergedShape(
    shapeOfSchema('problem' in schema ? undefined : schema.value),
    shapeOfData('problem' in sample ? undefined : sample.value),
  );
}

/** Returns the same for a header or footer. */
export function pageBindingsOf(edited: EditedTemplate): DataShape {
  return mergedShape(PAGE_NUMBERS, bindingsOf(edited));
}
