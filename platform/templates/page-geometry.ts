import { lengthInInches, type ResolvedRenderOptions } from '@trifold/crds';

/** A page as it is printed; every length in inches. */
export interface PageGeometry {
  readonly width: number;
  readonly height: number;
  readonly margins: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
}

/** Width and height in portrait, in inches (interface, "Generation options"). */
const PAPER = {
  letter: [8.5, 11],
  a4: [210 / 25.4, 297 / 25.4],
  legal: [8.5, 14],
} as const;

/** Less than this, in inches, is rounding: lengths have four decimals at most. */
const ROUNDING = 1e-6;

/** The page that the options ask for. Throws a RangeError for a margin that is not a length. */
export function pageGeometry(options: ResolvedRenderOptions): PageGeometry {
  const [short, long] = PAPER[options.pageSize];
  const landscape = options.orientation === 'landscape';
  const { top, right, bottom, left } = options.margins;
  return {
    width: landscape ? long : short,
    height: landscape ? short : long,
    margins: {
      top: lengthInInches(top),
      right: lengthInInches(right),
      bottom: lengthInInches(bottom),
      left: lengthInInches(left),
    },
  };
}

/** Says which margins leave nothing of the page to print on. Undefined when there is room. */
export function findLackOfRoom({ width, height, margins }: PageGeometry): string | undefined {
  const { top, right, bottom, left } = margins;
  if (width - left - right < ROUNDING) return 'left and right together leave no room on the page';
  if (height - top - bottom < ROUNDING) return 'top and bottom together leave no room on the page';
  return undefined;
}
