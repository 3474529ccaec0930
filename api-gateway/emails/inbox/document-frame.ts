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
  const addsHead = !frame.head && (!frame.body || parts.atRules !== '');
  return [
    ...(frame.html ? [] : [insertion(Math.min(frame.first ?? content, content), `<html${parts.html}>`)]),
    ...(addsHead ? [insertion(headStart(frame, content), '<head>')] : []),
    ...headEdits(frame, content, parts.atRules),
    ...(frame.body
      ? [insertion(frame.body.end, parts.preview)]
      : [insertion(content, `<body${parts.body}>${parts.preview}`)]),
    ...(frame.body || frame.bodyEnd !== undefined ? [] : [insertion(end, '</body>')]),
    ...(frame.html || frame.htmlEnd !== undefined ? [] : [insertion(html.length, '</html>')]),
  ];
}

function headStart({ html, first }: DocumentFrame, content: number): number {
  return html?.end ?? Math.min(first ?? content, content);
}

function headEdits({ head, headEnd, body }: DocumentFrame, content: number, atRules: string): HtmlEdit[] {
  if (head && headEnd !== undefined) return [insertion(headEnd, atRules)];
  const isEndImplied = head && body;
  const isAbsent = !head && body && atRules === '';
  return [insertion(content, isEndImplied || isAbsent ? atRules : `${atRules}</head>`)];
}
