/** Replaces the characters from `start` to `end` by `text`. */
export interface HtmlEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that are in order and do not overlap. */
export function editHtml(html: string, edits: readonly HtmlEdit[]): string {
  let edited = '';
  let from = 0;
  for (const { start, end, text } of edits) {
    edited += html.slice(from, start) + text;
    from = end;
  }
  return edited + html.slice(from);
}

/** Returns the value as a quoted attribute value. */
export function quotedAttribute(value: string): string {
  return `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

/** Returns the text escaped as the content of an element. */
export function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
