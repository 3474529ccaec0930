import type { CssSupport } from './property-problems.ts';

let known: CssSupport | undefined;

/** Returns this browser's CSS support. */
export function cssSupport(): CssSupport {
  known ??= {
    properties: new Set(
      namesIn(document.documentElement.style).filter((name) => CSS.supports(name, 'inherit')),
    ),
    supports: (name, value) => CSS.supports(name, value),
  };
  return known;
}

function namesIn(style: CSSStyleDeclaration): string[] {
  const names: string[] = [];
  // oxlint-disable-next-line guard-for-in, typescript/no-for-in-array -- the properties are those of the prototype
  for (const name in style) names.push(name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  return names;
}
