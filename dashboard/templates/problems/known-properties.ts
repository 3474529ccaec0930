let properties: ReadonlySet<string> | undefined;

/** CSS property names that this browser knows. */
export function knownProperties(): ReadonlySet<string> {
  properties ??= new Set(
    namesIn(document.documentElement.style).filter((name) => CSS.supports(name, 'inherit')),
  );
  return properties;
}

function namesIn(style: CSSStyleDeclaration): string[] {
  const names: string[] = [];
  // oxlint-disable-next-line guard-for-in, typescript/no-for-in-array -- the properties are those of the prototype
  for (const name in style) names.push(name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  return names;
}
