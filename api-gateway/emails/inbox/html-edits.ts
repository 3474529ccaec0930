/** Replaces the characters from `start` to `end` with `text`. */
export interface HtmlEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies non-overlapping edits. Edits at the same position are applied in order. */
export function editHtml(html: string, edits: readonly HtmlEdit[]): string {
  let edited = '';
  let from = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start)) {
    edited += html.slice(from, start) + text;
    from = end;
  }
  return edited + html.slice(from);
}

export function insertion(at: number, text: string): HtmlEdit {
  return { start: at, end: at, text };
}

const CSS_STRING = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/g;

/** Returns CSS as a style attribute. */
export function styleAttribute(css: string): string {
  // Easier to read than entities.
  const single = css.replaceAll(CSS_STRING, (text) =>
    text.startsWith('"') && !/['\\]/.test(text) ? `'${text.slice(1, -1)}'` : text,
  );
  return `style="${single.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

/** Returns the text escaped for use as element content. */
export function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
