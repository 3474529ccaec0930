/**
 * Returns a snippet to fit after a text: inside a tag, a call needs no braces; as an argument, it needs parentheses.
 */
export function fitted(template: string, before: string): string {
  const call = /^\{\{([^#][^]*)\}\}$/.exec(template)?.[1];
  const isInTag = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  if (!isInTag || call === undefined) return template;
  return /(?:\{\{|\()\s*$/.test(before) ? call : `(${call})`;
}
