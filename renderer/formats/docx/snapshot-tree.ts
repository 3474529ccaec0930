import type { Protocol } from 'puppeteer-core';
import { DRAWING_ATTRIBUTE, type SnapshotStyle } from '../../browser/page/page-snapshot.ts';

export type Style = Readonly<Record<SnapshotStyle, string>>;

/** Position and size of a box, in CSS pixels from the document's top-left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Content of a page: its nodes and their layout. */
export interface ParsedSnapshot {
  /** The document's title with collapsed white space; empty if it has none. */
  readonly title: string;
  readonly strings: readonly string[];
  readonly nodes: Protocol.DOMSnapshot.NodeTreeSnapshot;
  readonly layout: Protocol.DOMSnapshot.LayoutTreeSnapshot;
  readonly textBoxes: Protocol.DOMSnapshot.TextBoxSnapshot;
  /** Width of the page, in CSS pixels. */
  readonly width: number;
}

export function parseSnapshot(json: string): ParsedSnapshot {
  const { result } = JSON.parse(json) as { result: Protocol.DOMSnapshot.CaptureSnapshotResponse };
  const { documents, strings } = result;
  const [document] = documents;
  if (!document) throw new Error('the browser has no document');
  const { nodes, layout, textBoxes } = document;
  const width = layout.bounds[0]?.[2] ?? 0;
  return { title: strings[document.title] ?? '', strings, nodes, layout, textBoxes, width };
}

/** A laid-out node: an element, a pseudo-element, or a text node. */
export interface LaidOut {
  readonly index: number;
  /** The node's index in the snapshot's layout. */
  readonly layout: number;
  /** Element name in lower case; `::before` and so on; `#text`. */
  readonly name: string;
  /** Displayed text with its original spaces. Text nodes only. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly style: Style;
  readonly box: Box;
  /** Visible part of a cropped image. */
  readonly visible?: Box;
  readonly children: LaidOut[];
  /** Number or bullet of a list item. */
  readonly marker: LaidOut | undefined;
}

/** Elements that are shown as an image. */
const DRAWINGS = new Set(['img', 'svg', 'math', 'canvas', 'meter', 'progress']);

/** Whether a node is shown as an image or not at all. */
export function isDrawing({ name, attributes }: LaidOut): boolean {
  return DRAWINGS.has(name) || attributes[DRAWING_ATTRIBUTE] !== undefined;
}

/** Removes the elements that are not kept, in place. The array may be too long to spread into a call. */
export function keepOnly<T>(array: T[], isKept: (element: T) => boolean): void {
  const kept = array.filter(isKept);
  for (const [index, element] of kept.entries()) array[index] = element;
  array.length = kept.length;
}

export function stringAt({ strings }: Pick<ParsedSnapshot, 'strings'>, index: number | undefined): string {
  return strings[index ?? -1] ?? '';
}

export function attributesOf(snapshot: ParsedSnapshot, index: number): Record<string, string> {
  const given = snapshot.nodes.attributes?.[index] ?? [];
  const attributes: Record<string, string> = {};
  for (let at = 0; at < given.length; at += 2) {
    attributes[stringAt(snapshot, given[at])] = stringAt(snapshot, given[at + 1]);
  }
  return attributes;
}
