import type { AccessibleContent } from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import { textOf } from '../file/pdf-text.ts';
import { StructureTree } from './structure-tree.ts';

/**
 * Returns content without the described drawings that a print has as figures. Reads the print with all pages, because
 * the page of a drawing without a figure is unknown.
 */
export function* withLostDrawings(content: AccessibleContent, print: PdfFile): SlicedWork<AccessibleContent> {
  const missing = new Map<string, number>();
  for (const { fault, description = '', count } of content.problems) {
    if (fault === 'describedDrawing') missing.set(description, (missing.get(description) ?? 0) + count);
  }
  if (missing.size === 0) return content;
  const tree = yield* StructureTree.read(print);
  for (const [element] of tree.inOrder()) {
    const alternative = element.type === 'Figure' ? tree.entries(element).get('Alt') : undefined;
    const description = alternative ? textOf(print.text(alternative)) : '';
    const count = missing.get(description);
    if (count !== undefined) missing.set(description, count - 1);
    yield;
  }
  const isLost = (description = '') => (missing.get(description) ?? 0) > 0;
  return {
    ...content,
    problems: content.problems.filter(
      ({ fault, description }) => fault !== 'describedDrawing' || isLost(description),
    ),
  };
}
