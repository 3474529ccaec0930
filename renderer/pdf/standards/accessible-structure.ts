import type { TableShape } from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import { TableFill } from './empty-cells.ts';
import { StructureEdit } from './structure-edit.ts';
import { StructureTree } from './structure-tree.ts';

/** Parts of a list item (ISO 32000-1, 14.8.4.3.3). */
const ITEM_PARTS = ['Lbl', 'LBody'];

/**
 * Adds what PDF/UA requires of structure elements and the browser does not write: the body of each list item and the
 * empty cells of tables (ISO 14289-1, 7.2). `tables` are those of the document.
 */
export function* completeStructure(
  file: PdfFile,
  update: PdfUpdate,
  tables: readonly TableShape[],
): SlicedWork<void> {
  const tree = yield* StructureTree.read(file);
  const edit = new StructureEdit(tree, update);
  const fill = new TableFill(tree, edit, tables);
  for (const [element] of tree.inOrder()) {
    if (element.type === 'Table') yield* fill.fill(element);
    // An element for `figure`: its content says what it is, and an image in it has an element.
    if (element.type === 'Figure' && element.kids.length > 0 && !tree.entries(element).has('Alt')) {
      edit.setType(element, 'Div');
    }
    if (element.type === 'LI') {
      const parts = tree.kids(element).filter(({ type }) => ITEM_PARTS.includes(type));
      edit.enclose(element, new Set(parts.map(({ object }) => object)));
    }
    yield;
  }
  yield* edit.write();
}
