import type { TableShape } from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import { TableFill } from './empty-cells.ts';
import { completeCaption, completeItem, completeList, encloseItems } from './misplaced-kids.ts';
import { StructureEdit } from './structure-edit.ts';
import { StructureTree } from './structure-tree.ts';

/**
 * Adds what PDF/UA requires of structure elements but the browser does not write: list items and their bodies, and the
 * empty cells and captions of tables (ISO 14289-1, 7.2). `tables` contains the tables in the document.
 */
export function* completeStructure(
  file: PdfFile,
  update: PdfUpdate,
  tables: readonly TableShape[],
): SlicedWork<void> {
  const tree = yield* StructureTree.read(file);
  const edit = new StructureEdit(tree, update);
  const fill = new TableFill(tree, edit, tables);
  for (const [element, parent] of tree.inOrder()) {
    if (element.type === 'Table') {
      yield* fill.fill(element);
      completeCaption(tree, edit, element);
    }
    // An HTML `figure`: its content describes it, and an image in it has a separate element.
    if (element.type === 'Figure' && element.kids.length > 0 && !tree.entries(element).has('Alt')) {
      edit.setType(element, 'Div');
    }
    encloseItems(tree, edit, element, parent);
    if (element.type === 'L') completeList(tree, edit, element);
    if (element.type === 'LI') completeItem(tree, edit, element);
    // A link with another role, such as button: all annotations are links.
    if (element.type !== 'Link' && element.annotations.length > 0) edit.setType(element, 'Link');
    yield;
  }
  yield* edit.write();
}
