/** The subset of XML in S3 responses: elements without attributes, text without markup. */

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Returns the texts of all elements of that name, at any depth. */
export function allTexts(xml: string, element: string): string[] {
  return pieces(xml, element).map((text) =>
    text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? ''),
  );
}

/** Returns the text of the first element of that name. */
export function firstText(xml: string, element: string): string | undefined {
  return allTexts(xml, element)[0];
}

/** Returns the raw content of all elements of that name. They do not nest. */
export function pieces(xml: string, element: string): string[] {
  const [, ...rest] = xml.split(`<${element}>`);
  return rest.flatMap((text) => {
    const end = text.indexOf(`</${element}>`);
    return end < 0 ? [] : [text.slice(0, end)];
  });
}

/** Whether the response is this document and complete: not a proxy's page, and not cut off. */
export function isDocument(xml: string, root: string): boolean {
  const start = xml.replace(/^\s*(<\?xml[^>]*\?>)?\s*/, '');
  if (new RegExp(`^<${root}(\\s[^>]*)?/>\\s*$`).test(start)) return true;
  return new RegExp(`^<${root}[\\s>]`).test(start) && start.trimEnd().endsWith(`</${root}>`);
}
