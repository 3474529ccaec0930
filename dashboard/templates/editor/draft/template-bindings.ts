import { mergedShape, shapeOfData, shapeOfSchema, type DataShape } from '../../code/data-shape.ts';
import { objectIn } from '../../json-text.ts';
import type { EditedTemplate } from './edited-template.ts';

/** Additional bindings in headers and footers. They take precedence over the data. */
const PAGE_NUMBERS = shapeOfData({ page: 1, pages: 1 });

/** Returns what the schema and the sample data say about the data. */
export function bindingsOf({ draft, data }: EditedTemplate): DataShape {
  return mergedShape(shapeOfSchema(objectIn(draft.value.schema)), shapeOfData(objectIn(data.value)));
}

/** Returns the same for a header or footer. */
export function pageBindingsOf(edited: EditedTemplate): DataShape {
  return mergedShape(PAGE_NUMBERS, bindingsOf(edited));
}
