/**
 * Returns the URLs of a `srcset` attribute (HTML, "Parsing a srcset attribute"): the first word of each part. A URL may
 * contain commas, but does not begin or end with one.
 */
export function srcsetUrls(srcset: string): string[] {
  const found: string[] = [];
  let isUrl = true;
  for (const word of srcset.split(/\s+/)) {
    const comma: number = isUrl ? -1 : word.indexOf(',');
    if (!isUrl && comma === -1) continue;
    const url: string = word.slice(comma + 1).replace(/,$/, '');
    if (url !== '') found.push(url);
    isUrl = url === '' || word.endsWith(',');
  }
  return found;
}
