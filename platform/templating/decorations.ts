import type { RenderOptions } from '@trifold/crds';

/** Parts that pages repeat. */
export const DECORATION_KINDS = ['header', 'footer'] as const;
export type DecorationKind = (typeof DECORATION_KINDS)[number];

/** Pages that can have their own header or footer. If several apply to a page, the first one is used. */
const PAGE_POSITIONS = ['first', 'last', 'even', 'odd'] as const;
type PagePosition = (typeof PAGE_POSITIONS)[number];

/** Path of a header or footer in the options: for every page (`header`) or for some pages (`header.first`). */
export type DecorationName = DecorationKind | `${DecorationKind}.${PagePosition}`;

/** Header and footer content. */
export type Decorations = Readonly<Partial<Record<DecorationName, string>>>;

export const DECORATION_NAMES: readonly DecorationName[] = DECORATION_KINDS.flatMap((kind) => [
  kind,
  ...PAGE_POSITIONS.map((position) => `${kind}.${position}` as const),
]);

/** Returns the given headers and footers, with `change` applied to each. */
export function mapDecorations(
  contents: Decorations,
  change: (content: string, name: DecorationName) => string,
): Decorations {
  const changed = DECORATION_NAMES.flatMap((name) => {
    const { [name]: content } = contents;
    return content === undefined ? [] : [[name, change(content, name)] as const];
  });
  return Object.fromEntries(changed);
}

/** Returns the options' headers or footers, whether enabled or not. */
export function contentsOf(kind: DecorationKind, options: RenderOptions | undefined): Decorations {
  const { [kind]: common } = options ?? {};
  const own = PAGE_POSITIONS.map((position) => [`${kind}.${position}`, common?.[position]?.content] as const);
  const given = [[kind, common?.content] as const, ...own].filter(([, content]) => content !== undefined);
  return Object.fromEntries(given);
}

/**
 * Returns the content for a page, in order of precedence: first page, last page, even or odd pages, all pages;
 * undefined if there is none.
 */
export function decorationOn(
  kind: DecorationKind,
  decorations: Decorations,
  { number, total }: { readonly number: number; readonly total: number },
): DecorationName | undefined {
  const applies = {
    first: number === 1,
    last: number === total,
    even: number % 2 === 0,
    odd: number % 2 === 1,
  };
  const own = PAGE_POSITIONS.filter((position) => applies[position]).map(
    (position) => `${kind}.${position}` as const,
  );
  return [...own, kind].find((name) => decorations[name] !== undefined);
}
