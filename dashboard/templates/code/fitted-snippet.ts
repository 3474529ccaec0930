/** Adds a field at the end of a snippet that has none: otherwise, the cursor would stay at its start. */
export function withCaret(template: string): string {
  return template.includes('#{') ? template : `${template}#{}`;
}

/**
 * Returns a snippet that fits after a string: in a tag, calls need no braces; as arguments, they need
 * parentheses.
 */
export function fitted(template: string, before: string): string {
  const call = /^\{\{([^#][^]*)\}\}$/.exec(template)?.[1];
  if (call === undefined || before.lastIndexOf('{{') <= before.lastIndexOf('}}')) return template;
  return /(?:\{\{|\()\s*$/.test(before) ? call : `(${call})`;
}
