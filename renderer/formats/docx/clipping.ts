import { isDrawing, type Box, type LaidOut, type ParsedSnapshot } from './snapshot-tree.ts';
import { pixels } from './units.ts';

interface Clip {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The visible area for a node's descendants, by their `position`. */
interface Clips {
  readonly static: Clip;
  readonly absolute: Clip;
  readonly fixed: Clip;
}

/**
 * A browser shrinks pages with wider content, by a third at most. Positioned content beyond that is hidden; other
 * content, such as table columns, gets the available space.
 */
const MAX_WIDTH = 1.5;

/** Finds text, images and boxes that a PDF of the page does not show, for example because a box cuts them off. */
export class Clipping {
  readonly #snapshot: ParsedSnapshot;
  readonly #clips = new WeakMap<LaidOut, Clips>();
  readonly #outside = new WeakSet<LaidOut>();
  #lines: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(snapshot: ParsedSnapshot) {
    this.#snapshot = snapshot;
  }

  /** Returns the visible part of a node; undefined if the node and all its descendants are hidden. */
  shown<Node extends LaidOut>(node: Node, parent: LaidOut | undefined): Node | undefined {
    const outer = (parent && this.#clips.get(parent)) ?? everything(node.box);
    const clip = outer[positionOf(node)];
    if (node.name === '#text') return this.#shownText(node, clip);
    if (isHidden(node)) return undefined;
    const part =
      isDrawing(node) && !contains(clip, node.box) ? { ...node, visible: visibleBox(node.box, clip) } : node;
    if (!isVisible(node.box, clip)) this.#outside.add(part);
    this.#clips.set(part, this.#clipsIn(node, clip, outer));
    return part;
  }

  /** Whether a box is completely invisible. */
  isOutside(node: LaidOut): boolean {
    return this.#outside.has(node);
  }

  #clipsIn(node: LaidOut, own: Clip, outer: Clips): Clips {
    const inner = intersection(own, overflowOf(node));
    const isContaining = node.style.position !== 'static' || node.style.transform !== 'none';
    return { static: inner, absolute: isContaining ? inner : outer.absolute, fixed: outer.fixed };
  }

  /** Removes invisible lines. */
  #shownText<Node extends LaidOut>(node: Node, clip: Clip): Node | undefined {
    if (node.text.trim() === '' || contains(clip, node.box)) return node;
    const { bounds, start, length } = this.#snapshot.textBoxes;
    const lines = this.#linesOf(node.layout).filter((line) => {
      const [x = 0, y = 0, width = 0, height = 0] = bounds[line] ?? [];
      return isVisible({ x, y, width, height }, clip);
    });
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const end = (start[last] ?? 0) + (length[last] ?? 0);
    return { ...node, text: node.text.slice(start[first], end) };
  }

  #linesOf(layout: number): readonly number[] {
    this.#lines ??= Map.groupBy(
      this.#snapshot.textBoxes.layoutIndex.keys(),
      (line) => this.#snapshot.textBoxes.layoutIndex[line] ?? -1,
    );
    return this.#lines.get(layout) ?? [];
  }
}

function everything({ width }: Box): Clips {
  // Pages cut off anything in their left or top margin.
  const page = { left: 0, top: 0, right: Infinity, bottom: Infinity };
  const positioned = { ...page, right: width * MAX_WIDTH };
  return { static: page, absolute: positioned, fixed: positioned };
}

function positionOf({ name, style }: LaidOut): keyof Clips {
  if (name === '#text') return 'static';
  return style.position === 'absolute' || style.position === 'fixed' ? style.position : 'static';
}

/** Whether a node's styles hide it and all its descendants. */
function isHidden({ style }: LaidOut): boolean {
  if (Number(style.opacity) === 0 || style.filter.includes('opacity(0)')) return true;
  if (/^(?:absolute|fixed)$/.test(style.position) && isEmptyRectangle(style.clip)) return true;
  return isEmptyPath(style['clip-path']);
}

/** CSS Masking 1: the sides of `rect()` are distances from the top-left corner. */
function isEmptyRectangle(clip: string): boolean {
  const [top, right, bottom, left] = Array.from(clip.matchAll(/-?[\d.]+px|auto/g), ([side]) => side);
  const isEmpty = (from = 'auto', to = 'auto') => to !== 'auto' && pixels(to) - pixels(from) < 1;
  return clip.startsWith('rect(') && (isEmpty(top, bottom) || isEmpty(left, right));
}

function isEmptyPath(path: string): boolean {
  if (/^circle\(0(?:px|%)?[ )]|^polygon\((?:0(?:px|%)? 0(?:px|%)?(?:, )?)+\)/.test(path)) return true;
  const [, inset = ''] = /^inset\(((?:[\d.]+% ?)+)/.exec(path) ?? [];
  return inset !== '' && isEmptyInset(inset.trim().split(' ').map(Number.parseFloat));
}

/** Distances from the sides, in percent. */
function isEmptyInset([top = 0, right = top, bottom = top, left = right]: readonly number[]): boolean {
  return top + bottom >= 100 || left + right >= 100;
}

/** The page shows what `html` and `body` would cut off on screen. */
function overflowOf({ name, style, box }: LaidOut): Partial<Clip> {
  if (name === 'html' || name === 'body' || style.display === 'inline') return {};
  const { x, y, width, height } = box;
  return {
    ...(style['overflow-x'] !== 'visible' && { left: x, right: x + width }),
    ...(style['overflow-y'] !== 'visible' && { top: y, bottom: y + height }),
  };
}

function intersection(clip: Clip, { left, top, right, bottom }: Partial<Clip>): Clip {
  return {
    left: Math.max(clip.left, left ?? clip.left),
    top: Math.max(clip.top, top ?? clip.top),
    right: Math.min(clip.right, right ?? clip.right),
    bottom: Math.min(clip.bottom, bottom ?? clip.bottom),
  };
}

function contains({ left, top, right, bottom }: Clip, { x, y, width, height }: Box): boolean {
  return width > 0 && height > 0 && x >= left && y >= top && x + width <= right && y + height <= bottom;
}

/** Returns the visible part of a box. */
function visibleBox({ x, y, width, height }: Box, { left, top, right, bottom }: Clip): Box {
  const [startX, startY] = [Math.max(x, left), Math.max(y, top)];
  return {
    x: startX,
    y: startY,
    width: Math.max(0, Math.min(x + width, right) - startX),
    height: Math.max(0, Math.min(y + height, bottom) - startY),
  };
}

/** Whether nearly half of the text's height and more than a pixel of its width are visible. */
function isVisible(box: Box, clip: Clip): boolean {
  const shown = visibleBox(box, clip);
  return box.height > 0 && shown.width > Math.min(1, box.width / 2) && shown.height > box.height * 0.4;
}
