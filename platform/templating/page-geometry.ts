import { lengthInInches, PAGE_SIZES, type ResolvedRenderOptions } from '@trifold/crds';

/** A printed page; every length in inches. */
export interface PageGeometry {
  readonly width: number;
  readonly height: number;
  readonly margins: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  /** Height of the header, below the top margin; 0 without a header. */
  readonly header: number;
  /** Height of the footer, above the bottom margin; 0 without a footer. */
  readonly footer: number;
  /** Header and footer heights on the first page. */
  readonly firstPage: { readonly header: number; readonly footer: number };
}

/** Reason a page cannot be printed. */
export interface PageProblem {
  /**
   * `side`: a side of a custom page is not a usable length. `room`: margins, header and footer leave no space in that
   * direction.
   */
  readonly kind: 'side' | 'room';
  readonly axis: 'width' | 'height';
  /** Whether only the first page has no space. */
  readonly firstPage?: true;
  readonly message: string;
}

/** Maximum length of a page's side, in inches: 14,400 units of 1/72 in (ISO 32000-1, annex C). */
export const MAX_SIDE = 200;

/** Minimum content space, in inches; with less, the browser prints nothing. */
const MIN_ROOM = 0.01;
/** A smaller difference, in inches, is a rounding error: lengths have at most four decimals. */
const ROUNDING = 1e-6;

/** Returns the page geometry for these options. Throws RangeError for an invalid length. */
export function pageGeometry(options: ResolvedRenderOptions): PageGeometry {
  const { margins, header, footer } = options;
  const [width, height] = sidesOf(options);
  const heightOf = ({ enabled }: { enabled: boolean }, length: string) =>
    enabled ? lengthInInches(length) : 0;
  return {
    width,
    height,
    margins: {
      top: lengthInInches(margins.top),
      right: lengthInInches(margins.right),
      bottom: lengthInInches(margins.bottom),
      left: lengthInInches(margins.left),
    },
    header: heightOf(header, header.height),
    footer: heightOf(footer, footer.height),
    firstPage: {
      header: heightOf(header, header.first.height ?? header.height),
      footer: heightOf(footer, footer.first.height ?? footer.height),
    },
  };
}

/** A custom page keeps its width and height, regardless of the orientation. */
function sidesOf({ pageSize, width, height, orientation }: ResolvedRenderOptions): readonly [number, number] {
  if (pageSize === 'custom') return [lengthInInches(width ?? ''), lengthInInches(height ?? '')];
  const [short, long] = PAGE_SIZES[pageSize].map(lengthInInches) as [number, number];
  return orientation === 'landscape' ? [long, short] : [short, long];
}

/** Returns the reason that nothing can be printed; undefined if there is space. */
export function findPageProblem({
  width,
  height,
  margins,
  firstPage,
  ...everyPage
}: PageGeometry): PageProblem | undefined {
  const side = sideProblem('width', width) ?? sideProblem('height', height);
  if (side) return side;
  if (width - margins.left - margins.right < MIN_ROOM - ROUNDING) {
    const message = 'left and right together leave no room on the page';
    return { kind: 'room', axis: 'width', message };
  }
  const room = height - margins.top - margins.bottom;
  const message = decorationProblem(room, everyPage);
  if (message !== undefined) return { kind: 'room', axis: 'height', message };
  const ofFirst = decorationProblem(room, firstPage);
  if (ofFirst === undefined) return undefined;
  return { kind: 'room', axis: 'height', firstPage: true, message: ofFirst.replace(/page$/, 'first page') };
}

function decorationProblem(
  room: number,
  { header, footer }: Pick<PageGeometry, 'header' | 'footer'>,
): string | undefined {
  if (room - header - footer >= MIN_ROOM - ROUNDING) return undefined;
  const decoration = [header > 0 && 'header', footer > 0 && 'footer'].filter((name) => name !== false);
  return `${['top and bottom', ...decoration].join(' and ')} together leave no room on the page`;
}

function sideProblem(axis: 'width' | 'height', inches: number): PageProblem | undefined {
  if (inches > 0 && inches <= MAX_SIDE + ROUNDING) return undefined;
  return { kind: 'side', axis, message: `must be more than 0 and at most ${MAX_SIDE}in` };
}
