import type { Protocol } from 'puppeteer-core';
import { SNAPSHOT_STYLES, type SnapshotStyle } from '../../browser/page/page-snapshot.ts';

export type Style = Readonly<Record<SnapshotStyle, string>>;

/** Position and size of a box, in CSS pixels from the corner of the document. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Content of a page: its nodes and their layout. */
export interface ParsedSnapshot {
  /** Title of the document with collapsed white space; empty when it has none. */
  readonly title: string;
  readonly strings: readonly string[];
  readonly nodes: Protocol.DOMSnapshot.NodeTreeSnapshot;
  readonly layout: Protocol.DOMSnapshot.LayoutTreeSnapshot;
}

export function parseSnapshot(json: string): ParsedSnapshot {
  const { result } = JSON.parse(json) as { result: Protocol.DOMSnapshot.CaptureSnapshotResponse };
  const { documents, strings } = result;
  const [document] = documents;
  if (!document) throw new Error('the browser has no document');
  return { title: strings[document.title] ?? '', strings, nodes: document.nodes, layout: document.layout };
}

/** A laid-out node: an element, a pseudo-element, or a text. */
export interface LaidOut {
  readonly index: number;
  /** Element name in lower case; `::before` and so on; `#text`. */
  readonly name: string;
  /** Displayed text with its original spaces. Texts only. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly style: Style;
  readonly box: Box;
  readonly children: LaidOut[];
}

/**
 * Returns the laid-out nodes of a page, starting at its root element. A node that is not laid out (`display: none`, or
 * `contents`) is left out, but its children are not. Undefined for a page that shows nothing.
 */
export function laidOutTree(snapshot: ParsedSnapshot): LaidOut | undefined {
  const { nodes } = snapshot;
  const layouts = layoutsByNode(snapshot);
  const made = new Map<number, LaidOut>();
  let root: LaidOut | undefined;
  // Parents come before their children.
  for (const [index] of (nodes.nodeName ?? []).entries()) {
    const parent = nearest(made, nodes.parentIndex ?? [], index);
    const own = layouts.get(index) ?? [];
    for (const node of madeOf(snapshot, index, own)) {
      if (!made.has(index)) made.set(index, node);
      if (parent) parent.children.push(node);
      else root ??= node.name === 'html' ? node : undefined;
    }
  }
  return root;
}

function layoutsByNode({ layout }: ParsedSnapshot): Map<number, number[]> {
  const layouts = new Map<number, number[]>();
  for (const [index, node] of layout.nodeIndex.entries()) {
    const known = layouts.get(node);
    if (known) known.push(index);
    else layouts.set(node, [index]);
  }
  return layouts;
}

/** Returns the closest ancestor that is laid out. */
function nearest(made: Map<number, LaidOut>, parents: readonly number[], index: number): LaidOut | undefined {
  for (let at = parents[index] ?? -1; at >= 0; at = parents[at] ?? -1) {
    const node = made.get(at);
    if (node) return node;
  }
  return undefined;
}

/** The texts of a pseudo-element are separate layouts; a text may have several (its first letter separately). */
function madeOf(snapshot: ParsedSnapshot, index: number, layouts: readonly number[]): LaidOut[] {
  const name = stringAt(snapshot, snapshot.nodes.nodeName?.[index]).toLowerCase();
  const [first, ...others] = layouts;
  if (first === undefined || name === '#document' || name === '::marker') return [];
  const node = nodeOf(snapshot, { index, name, layout: first });
  if (name === '#text') return [node, ...others.map((layout) => nodeOf(snapshot, { index, name, layout }))];
  node.children.push(...others.map((layout) => nodeOf(snapshot, { index, name: '#text', layout })));
  return [node];
}

function nodeOf(
  snapshot: ParsedSnapshot,
  { index, name, layout }: { index: number; name: string; layout: number },
): LaidOut {
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
  };
}

function attributesOf(snapshot: ParsedSnapshot, index: number): Record<string, string> {
  const given = snapshot.nodes.attributes?.[index] ?? [];
  const attributes: Record<string, string> = {};
  for (let at = 0; at < given.length; at += 2) {
    attributes[stringAt(snapshot, given[at])] = stringAt(snapshot, given[at + 1]);
  }
  return attributes;
}

function stringAt({ strings }: ParsedSnapshot, index: number | undefined): string {
  return strings[index ?? -1] ?? '';
}
