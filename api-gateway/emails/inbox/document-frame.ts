import { insertion, type HtmlEdit } from './html-edits.ts';
import type { DocumentFrame } from './html-outline.ts';

/** What is added to the tags that every document has. */
export interface FrameParts {
  /** Attributes of an `html` that the author left out, after a space. */
  readonly html: string;
  /** Attributes of a `body` that the author left out, after a space. */
  readonly body: string;
  /** Comes last in the head. */
  readonly atRules: string;
  /** Comes first in the body. */
  readonly preview: string;
}

/** Returns edits that insert the parts, and the tags of `html`, `head` and `body` that are missing. */
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
