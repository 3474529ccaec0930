/** The little XML there is in S3's answers: elements without attributes, text without markup. */

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The texts of all elements of that name, whatever they are in. */
export function allTexts(xml: string, element: string): string[] {
  return pieces(xml, element).map((text) =>
    text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? ''),
  );
}

/** The text of the first element of that name. */
export function firstText(xml: string, element: string): string | undefined {
  return allTexts(xml, element)[0];
}

/** What is between the tags of all elements of that name, as it is written. They do not nest. */
export function pieces(xml: string, element: string): string[] {
  const [, ...rest] = xml.split(`<${element}>`);
  return rest.flatMap((text) => {
    const end = text.indexOf(`</${element}>`);
    return end < 0 ? [] : [text.slice(0, end)];
  });
}

/** Whether the answer is this document, whole: a proxy's page is not, nor one that was cut off. */
export function isDocument(xml: string, root: string): boolean {
  const start = xml.replace(/^\s*(<\?xml[^>]*\?>)?\s*/, '');
  if (new RegExp(`^<${root}(\\s[^>]*)?/>\\s*$`).test(start)) return true;
  return new RegExp(`^<${root}[\\s>]`).test(start) && start.trimEnd().endsWith(`</${root}>`);
}
