import type { ComparedImages, PageDifference } from '@trifold/platform/pdf-comparison/compare-pdfs.ts';
import type { PageImage } from '@trifold/platform/pdf-comparison/open-pdf.ts';
import { escapeMarkup } from './escape-markup.ts';
import { REPORT_STYLE } from './report-style.ts';
import type { Outcome, SampleResult } from './sample.ts';

const HEADINGS: readonly (readonly [Outcome, string])[] = [
  ['failed', 'Failed'],
  ['elsewhere', 'Recorded elsewhere'],
  ['recorded', 'Recorded'],
  ['passed', 'Passed'],
];

/**
 * Returns a page that shows what differs, with the pages of both files side by side. It contains its images and loads
 * nothing. `titles` describe the two files.
 */
export function htmlReport(
  results: readonly SampleResult[],
  titles: readonly [before: string, after: string],
  png: ((image: PageImage) => Buffer) | undefined,
): string {
  const groups = HEADINGS.map(([outcome, heading]) => ({
    heading,
    found: results.filter((result) => result.outcome === outcome),
    outcome,
  })).filter(({ found }) => found.length > 0);
  const counts = groups.map(
    ({ heading, found, outcome }) =>
      `<li class="${outcome}"><b>${found.length}</b> ${heading.toLowerCase()}</li>`,
  );
  const sections = groups.map(({ heading, found, outcome }) => {
    const differs = outcome === 'failed' || outcome === 'elsewhere';
    const content = differs
      ? found.map((result) => article(result, titles, png)).join('\n')
      : `<ul class="names">${found.map(({ sample }) => `<li>${nameOf(sample)}</li>`).join('')}</ul>`;
    return `<section class="${outcome}"><h2>${heading}</h2>${content}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Template tests</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header><h1>Template tests</h1><ul class="counts">${counts.join('')}</ul></header>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

function article(
  { sample, messages, differences }: SampleResult,
  titles: readonly [before: string, after: string],
  png: ((image: PageImage) => Buffer) | undefined,
): string {
  const pages = png ? (differences?.differing ?? []).map((page) => images(page, titles, png)) : [];
  return `<article><h3>${nameOf(sample)}</h3>
<ul class="messages">${messages.map(message).join('')}</ul>
${pages.join('\n')}</article>`;
}

function nameOf({ template, name }: SampleResult['sample']): string {
  return `${escapeMarkup(template)} <span>${escapeMarkup(name)}</span>`;
}

/** The lines after the first are a unified diff. */
function message(text: string): string {
  const [first = '', ...lines] = text.split('\n');
  const marked = lines.map((line) => {
    const tag = { '+': 'ins', '-': 'del' }[line.charAt(0)];
    return tag ? `<${tag}>${escapeMarkup(line)}</${tag}>` : `<span>${escapeMarkup(line)}</span>`;
  });
  return `<li>${escapeMarkup(first)}${lines.length > 0 ? `<pre tabindex="0">${marked.join('')}</pre>` : ''}</li>`;
}

function images(
  { page, images: found }: PageDifference,
  [before, after]: readonly [string, string],
  png: (image: PageImage) => Buffer,
): string {
  if (!found) return '';
  const columns: readonly (readonly [string, keyof ComparedImages])[] = [
    [before, 'before'],
    [after, 'after'],
    ['Difference', 'difference'],
  ];
  const figures = columns.map(([title, name]) => {
    const image = found[name];
    const shown = image
      ? `<img alt="Page ${page}: ${escapeMarkup(title)}" width="${image.width}" height="${image.height}" src="data:image/png;base64,${png(image).toString('base64')}">`
      : '<p class="none">No such page</p>';
    return `<figure><figcaption>${escapeMarkup(title)}</figcaption>${name === 'difference' && !image ? '<p class="none">–</p>' : shown}</figure>`;
  });
  return `<h4>Page ${page}</h4><div class="images">${figures.join('')}</div>`;
}
