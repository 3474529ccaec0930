import type { Box, LaidOut } from './snapshot-tree.ts';
import { pixels, type SIDES } from './units.ts';

/** A box's content area, without borders and padding. */
export function contentBox({ box, style }: LaidOut): Box {
  const inset = (side: (typeof SIDES)[number]) =>
    pixels(style[`padding-${side}`]) + pixels(style[`border-${side}-width`]);
  return {
    x: box.x + inset('left'),
    y: box.y + inset('top'),
    width: box.width - inset('left') - inset('right'),
    height: box.height - inset('top') - inset('bottom'),
  };
}
