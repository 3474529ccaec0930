import type { StructureEdit } from './structure-edit.ts';
import { isGroup, type StructureElement, type StructureTree } from './structure-tree.ts';

/** Parts of a list item (ISO 32000-1, 14.8.4.3.3). */
const ITEM_PARTS = ['Lbl', 'LBody'];
const LIST_PARTS = ['L', 'LI', 'Caption'];
/** Types whose children other edits replace. */
const OTHER_EDITS = ['L', 'LI', 'Table'];
const TABLE_PARTS = ['TR', 'THead', 'TBody', 'TFoot', 'Caption'];

/** Whether an element, or each element in a group, has one of the types. */
function isOf(tree: StructureTree, element: StructureElement, types: readonly string[]): boolean {
  const elements = isGroup(element) ? tree.kids(element) : [element];
  return elements.every(({ type }) => types.includes(type));
}

/** Adds the body of a list item. */
export function completeItem(tree: StructureTree, edit: StructureEdit, item: StructureElement): void {
  const parts = tree.kids(item).filter(({ type }) => ITEM_PARTS.includes(type));
  edit.enclose(item, new Set(parts.map(({ object }) => object)));
}

/** Turns the other elements in a list into items: `li` with another role, and elements such as `ul > p`. */
export function completeList(tree: StructureTree, edit: StructureEdit, list: StructureElement): void {
  const kids = tree.ownKids(list);
  const misplaced = new Set(kids.filter((kid) => !isOf(tree, kid, LIST_PARTS)));
  if (misplaced.size === 0) return;
  const references = kids.map((kid) => {
    const { object } = kid;
    if (!misplaced.has(kid)) return `${object} 0 R`;
    if (isGroup(kid)) {
      edit.setType(kid, 'LI');
      completeItem(tree, edit, kid);
      return `${object} 0 R`;
    }
    return edit.add('LI', `${list.object} 0 R`, (item) => ({ K: edit.addAround('LBody', item, [object]) }));
  });
  edit.setKids(list, references);
}

/** Puts each sequence of list items outside a list, such as `div > li`, in a list. */
export function encloseItems(
  tree: StructureTree,
  edit: StructureEdit,
  element: StructureElement,
  parent: StructureElement | undefined,
): void {
  const kids = tree.ownKids(element);
  const owner = isGroup(element) ? parent : element;
  if (!kids.some(isItem) || (owner && OTHER_EDITS.includes(owner.type))) return;
  const references: string[] = [];
  let items: StructureElement[] = [];
  const endList = () => {
    const objects = items.map(({ object }) => object);
    if (items.length > 0) references.push(edit.addAround('L', `${element.object} 0 R`, objects));
    items = [];
  };
  for (const kid of kids) {
    if (isItem(kid)) items.push(kid);
    else {
      endList();
      references.push(`${kid.object} 0 R`);
    }
  }
  endList();
  edit.setKids(element, references);
}

function isItem({ type }: StructureElement): boolean {
  return type === 'LI';
}

/** Turns the elements before a table's rows into a caption: the browser writes none for blocks in `caption`. */
export function completeCaption(tree: StructureTree, edit: StructureEdit, table: StructureElement): void {
  const kids = tree.ownKids(table);
  const end = kids.findIndex((kid) => isOf(tree, kid, TABLE_PARTS));
  if (end <= 0) return;
  const caption = edit.addAround(
    'Caption',
    `${table.object} 0 R`,
    kids.slice(0, end).map(({ object }) => object),
  );
  edit.setKids(table, [caption, ...kids.slice(end).map(({ object }) => `${object} 0 R`)]);
}
