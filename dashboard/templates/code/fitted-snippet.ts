/** Returns a snippet as it fits behind a text: inside of a tag, a call needs no braces, and as an argument parentheses. */
export function fitted(template: string, before: string): string {
  const call = /^\{\{([^#][^]*)\}\}$/.exec(template)?.[1];
  const isInTag = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  if (!isInTag || call === undefined) return template;
  return /(?:\{\{|\()\s*$/.test(before) ? call : `(${call})`;
}
