import { SNAPSHOT_STYLES } from '../../browser/page/page-snapshot.ts';
import { Clipping } from './clipping.ts';
import { Controls } from './controls.ts';
import {
  attributesOf,
  isDrawing,
  keepOnly,
  stringAt,
  type LaidOut,
  type ParsedSnapshot,
  type Style,
} from './snapshot-tree.ts';

interface Building extends LaidOut {
  marker: LaidOut | undefined;
}

/**
 * Returns the laid-out nodes of a page, starting at its root element, except those that its PDF does not show. A node
 * that is not laid out (`display: none`, or `contents`) is omitted, but its children are not. Undefined for an empty
 * page.
 */
export function laidOutTree(snapshot: ParsedSnapshot): LaidOut | undefined {
  const { nodes } = snapshot;
  const layouts = layoutsByNode(snapshot);
  const children = childrenByNode(snapshot);
  const controls = new Controls(snapshot, children);
  const clipping = new Clipping(snapshot);
  const made = new Map<number, Building>();
  const hidden = new Set<number>();
  let root: LaidOut | undefined;
  const add = (node: Building, parent: Building | undefined) => {
    const shown = clipping.shown(node, parent);
    if (!shown) return hidden.add(node.index);
    if (node.name !== '#text') shown.children.push(...controls.textsOf(node));
    if (!made.has(node.index)) made.set(node.index, shown);
    if (node.name === 'html') root ??= shown;
    return parent && addTo(parent, shown);
  };
  for (const index of inReadingOrder(snapshot, children)) {
    if (hidden.has(nodes.parentIndex?.[index] ?? -1)) {
      hidden.add(index);
      continue;
    }
    const parent = nearest(made, nodes.parentIndex ?? [], index);
    for (const node of madeOf(snapshot, index, layouts.get(index) ?? [])) add(node, parent);
  }
  for (const node of [...made.values()].toReversed()) prune(node, clipping);
  return root;
}

function addTo(parent: Building, node: Building): void {
  if (node.name === '::marker') parent.marker = node;
  else parent.children.push(node);
}

/** Removes boxes that are not visible and have no visible content. */
function prune({ children }: LaidOut, clipping: Clipping): void {
  const isLeftOut = (child: LaidOut) => clipping.isOutside(child) && (isDrawing(child) || isEmptyBox(child));
  if (children.some(isLeftOut)) keepOnly(children, (child) => !isLeftOut(child));
}

function isEmptyBox({ name, style, children, marker }: LaidOut): boolean {
  return name !== 'br' && !style.display.startsWith('table') && children.length === 0 && marker === undefined;
}

/** The root has the parent -1. */
function childrenByNode({ nodes: { parentIndex = [] } }: ParsedSnapshot): Map<number, number[]> {
  return Map.groupBy(parentIndex.keys(), (index) => parentIndex[index] ?? -1);
}

/** Parents come before their children in a snapshot, but so does `::after`. */
function* inReadingOrder(
  snapshot: ParsedSnapshot,
  children: ReadonlyMap<number, readonly number[]>,
): Generator<number> {
  const { nodeName = [] } = snapshot.nodes;
  const isLast = (index: number) => stringAt(snapshot, nodeName[index]) === '::after';
  const open = orderedLast(children.get(-1), isLast);
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    yield index;
    for (const child of orderedLast(children.get(index), isLast)) open.push(child);
  }
}

/** Returns the nodes in reverse order. */
function orderedLast(nodes: readonly number[] = [], isLast: (node: number) => boolean): number[] {
  return [...nodes.filter((node) => !isLast(node)), ...nodes.filter(isLast)].toReversed();
}

function layoutsByNode({ layout }: ParsedSnapshot): Map<number, number[]> {
  return Map.groupBy(layout.nodeIndex.keys(), (index) => layout.nodeIndex[index] ?? -1);
}

/** Returns the closest ancestor that is laid out. */
function nearest(made: ReadonlyMap<number, Building>, parents: readonly number[], index: number) {
  for (let at = parents[index] ?? -1; at >= 0; at = parents[at] ?? -1) {
    const node = made.get(at);
    if (node) return node;
  }
  return undefined;
}

/** An option's text is in its control. */
const NOT_SHOWN = new Set(['#document', 'option', 'optgroup']);

/** A pseudo-element's strings and images have separate layouts; a text node may have several (for its first letter). */
function madeOf(snapshot: ParsedSnapshot, index: number, layouts: readonly number[]): Building[] {
  const name = stringAt(snapshot, snapshot.nodes.nodeName?.[index]).toLowerCase();
  const [first, ...others] = layouts;
  if (first === undefined || NOT_SHOWN.has(name)) return [];
  const node = nodeOf(snapshot, { index, name, layout: first });
  if (name === '#text') return [node, ...others.map((layout) => nodeOf(snapshot, { index, name, layout }))];
  const images = generatedImages(node.style.content);
  for (const layout of others) {
    const part = nodeOf(snapshot, { index, name: '#text', layout });
    const source = part.text === '' ? images.shift() : undefined;
    node.children.push(source === undefined ? part : { ...part, name: 'img', attributes: { src: source } });
  }
  return [node];
}

/** Quotation marks have empty layouts, as do images. */
function generatedImages(content: string): string[] {
  return content.includes('-quote')
    ? []
    : Array.from(content.matchAll(/url\("([^"]*)"\)/g), ([, url = '']) => url);
}

function nodeOf(
  snapshot: ParsedSnapshot,
  { index, name, layout }: { index: number; name: string; layout: number },
): Building {
  const styles = snapshot.layout.styles[layout] ?? [];
  const [x = 0, y = 0, width = 0, height = 0] = snapshot.layout.bounds[layout] ?? [];
  return {
    index,
    name,
    text: name === '#text' ? stringAt(snapshot, snapshot.layout.text[layout]) : '',
    attributes: name === '#text' ? {} : attributesOf(snapshot, index),
    style: Object.fromEntries(
      SNAPSHOT_STYLES.map((style, at) => [style, stringAt(snapshot, styles[at])]),
    ) as Style,
    box: { x, y, width, height },
    children: [],
    marker: undefined,
    layout,
  };
}
