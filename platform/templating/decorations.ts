import type { RenderOptions } from '@trifold/crds';

/** Parts that pages repeat. */
export const DECORATION_KINDS = ['header', 'footer'] as const;
export type DecorationKind = (typeof DECORATION_KINDS)[number];

/** Pages that can have their own. If several apply to a page, the first of them counts. */
const PAGE_POSITIONS = ['first', 'last', 'even', 'odd'] as const;
type PagePosition = (typeof PAGE_POSITIONS)[number];

/** The header of every page (`header`), or that of some pages (`header.first`): its path in the options. */
export type DecorationName = DecorationKind | `${DecorationKind}.${PagePosition}`;

/** Contents of headers and footers. */
export type Decorations = Readonly<Partial<Record<DecorationName, string>>>;

export const DECORATION_NAMES: readonly DecorationName[] = DECORATION_KINDS.flatMap((kind) => [
  kind,
  ...PAGE_POSITIONS.map((position) => `${kind}.${position}` as const),
]);

/** Returns each given header and footer after a change. */
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

/** Returns the contents of one kind in options, whether enabled or not. */
export function contentsOf(kind: DecorationKind, options: RenderOptions | undefined): Decorations {
  const { [kind]: common } = options ?? {};
  const own = PAGE_POSITIONS.map((position) => [`${kind}.${position}`, common?.[position]?.content] as const);
  const given = [[kind, common?.content] as const, ...own].filter(([, content]) => content !== undefined);
  return Object.fromEntries(given);
}

/**
 * Returns which content a page has: the first page its own, then the last one, then even and odd ones, then the common
 * one; undefined without any.
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
