import { insertion, type HtmlEdit } from './html-edits.ts';
import type { DocumentFrame } from './html-outline.ts';

/** Additions to the tags that every document has. */
export interface FrameParts {
  /** Attributes for an `html` tag that the author left out, after a space. */
  readonly html: string;
  /** Attributes for a `body` tag that the author left out, after a space. */
  readonly body: string;
  /** Appended to the head. */
  readonly atRules: string;
  /** Prepended to the body. */
  readonly preview: string;
}

/** Returns edits that insert the parts, and any missing `html`, `head` and `body` tags. */
export function frameEdits(html: string, frame: DocumentFrame, parts: FrameParts): HtmlEdit[] {
  const end = frame.htmlEnd ?? html.length;
  const content = frame.content ?? frame.bodyEnd ?? end;
  return [
    ...htmlStart(frame, content, parts),
    ...headEdits(frame, content, parts),
    ...bodyEdits(frame, { content, end }, parts),
    ...(frame.html || frame.htmlEnd !== undefined ? [] : [insertion(html.length, '</html>')]),
  ];
}

function htmlStart({ html, first }: DocumentFrame, content: number, parts: FrameParts): HtmlEdit[] {
  return html ? [] : [insertion(Math.min(first ?? content, content), `<html${parts.html}>`)];
}

function headEdits(frame: DocumentFrame, content: number, { atRules }: FrameParts): HtmlEdit[] {
  const { html, head, headEnd, body, first } = frame;
  if (head)
    return [insertion(headEnd ?? content, headEnd === undefined && !body ? `${atRules}</head>` : atRules)];
  if (body && atRules === '') return [];
  const start = html?.end ?? Math.min(first ?? content, content);
  return [insertion(start, '<head>'), insertion(content, `${atRules}</head>`)];
}

function bodyEdits(
  { body, bodyEnd }: DocumentFrame,
  { content, end }: { readonly content: number; readonly end: number },
  { body: attributes, preview }: FrameParts,
): HtmlEdit[] {
  if (body) return [insertion(body.end, preview)];
  const start = insertion(content, `<body${attributes}>${preview}`);
  return bodyEnd === undefined ? [start, insertion(end, '</body>')] : [start];
}
