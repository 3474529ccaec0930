/** A remaining difference between the PDF and the DOCX, with its reason. */
interface AllowedDifference {
  readonly document: string;
  /** As worded by `differences`. */
  readonly difference: string;
  readonly reason: string;
}

export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  {
    document: 'hidden-print',
    difference: 'words: "l..." became "line that is cut off"',
    reason: 'Office programs have no `text-overflow: ellipsis`, so the line keeps all of its words.',
  },
  {
    document: 'letter-token-in-svg',
    difference: 'header and footer: page 1: "| Page N after" became "| after"',
    reason: 'An image cannot contain a field: `{{page}}` in an SVG is left out, with a warning.',
  },
  {
    document: 'image-figure-float',
    difference: 'place: Text at 34 became 125 pt',
    reason: 'Floats keep their position in the HTML, here before the text.',
  },
  {
    document: 'image-header-logo',
    difference: 'links: "" became "https://example.com/home example.com"',
    reason: 'Links in the headers of a PDF are not clickable; in a DOCX they are.',
  },
  {
    document: 'direction-auto',
    difference: 'words: "cba" became "abc"',
    reason: '`unicode-bidi: bidi-override` is not supported.',
  },
];
