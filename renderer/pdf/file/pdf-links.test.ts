import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { handmadePdf } from '../../testing/files/handmade-pdf.ts';
import { renderDocument } from '../../testing/render-document.ts';
import { testPage } from '../../testing/browser/test-browser.ts';
import { PdfFile } from './pdf-file.ts';
import { removeActions } from './pdf-links.ts';
import { PdfSyntaxError } from './pdf-syntax.ts';

/** A file's link targets according to another reader: a URL, or a position in the document. */
async function linksIn(pdf: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  const links: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const annotations = await (await document.getPage(number)).getAnnotations();
    for (const { url, unsafeUrl, dest } of annotations as Record<string, string | undefined>[]) {
      links.push(url ?? unsafeUrl ?? (dest === undefined || dest === null ? 'nothing' : `#${dest}`));
    }
  }
  await task.destroy();
  return links;
}

describe('the links of a PDF', () => {
  const chromium = testPage();
  const render = (html: string, tagged = false) =>
    renderDocument(chromium.page, { html, options: { tagged } });

  it('keep an allowed target', async () => {
    const kept = [
      ['https://x.example/(a)?b=c#d', 'https://x.example/(a)?b=c#d'],
      ['HTTPS://x.example/', 'https://x.example/'],
      ['http://x.example/', 'http://x.example/'],
      ['mailto:a@x.example', 'mailto:a@x.example'],
      ['tel:+1-234', 'tel:+1-234'],
      [`https://x.example/${'('.repeat(200)}`, `https://x.example/${'('.repeat(200)}`],
      ['#there', '#there'],
    ] as const;
    const html = kept.map(([href]) => `<p><a href="${href}">x</a>`).join('');
    for (const tagged of [false, true]) {
      const links = await linksIn(await render(`${html}<p id="there">y`, tagged));
      expect(links).toEqual(kept.map(([, url]) => url));
    }
  });

  it('lose any other target', async () => {
    const lost = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&#9;script:alert(1)',
      'java&#10;script:alert(1)',
      '&#1;javascript:alert(1)',
      '  javascript:alert(1)',
      'javascript://https:x',
      `javascript:${'('.repeat(200)}`,
      'vbscript:x',
      'data:text/html,x',
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      'smb://x.example/share',
      'ms-word:ofe|u|https://x.example/a.docx',
      'search-ms:query=x&crumb=location:x.example',
      'ftp://x.example/',
      'view-source:https://x.example/',
      'https\\:javascript:alert(1)',
    ];
    const html = lost.map(
      (href) =>
        `<a href="${href}">x</a><svg width="9" height="9"><a href="${href}"><rect width="9" height="9"/></a></svg>`,
    );
    for (const tagged of [false, true]) {
      const pdf = await render(html.join(''), tagged);
      expect((await linksIn(pdf)).filter((link) => link !== 'nothing')).toEqual([]);
      expect(pdf.includes('/URI')).toBe(false);
    }
  });

  it('are checked separately on every page', async () => {
    const links = ['https://a.example/', 'file:///b', 'mailto:c@x.example', 'smb://d/e'];
    const html = links.map((href) => `<p style="break-after:page"><a href="${href}">x</a>`).join('');
    const kept = ['https://a.example/', 'nothing', 'mailto:c@x.example', 'nothing'];
    expect(await linksIn(await render(html))).toEqual(kept);
  });
});

describe('the actions of a page', () => {
  const annotated = (annotation: string, ...more: string[]) =>
    handmadePdf([
      '<</Type /Catalog /Pages 2 0 R>>',
      '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
      '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [4 0 R]>>',
      `<</Type /Annot /Subtype /Link /Rect [0 0 9 9] ${annotation}>>`,
      ...more,
    ]);
  const withoutActions = (pdf: Buffer): Buffer => {
    const file = new PdfFile(pdf);
    for (const { entries } of file.pages()) Array.from(removeActions(file, entries));
    return pdf;
  };
  const hex = (text: string) => `<${Buffer.from(text).toString('hex')}>`;

  it.each([
    ['a literal', '/A <</S /URI /URI (file:///x)>>'],
    ['escapes', String.raw`/A <</S /URI /URI (\152avascript:x)>>`],
    ['hexadecimal digits', `/A <</S /URI /URI ${hex('file:///x')}>>`],
    ['an object', '/A 5 0 R', '<</S /Launch /F (file:///x)>>'],
    ['another kind of action', '/A <</S /JavaScript /JS (x) /URI (https://x.example/)>>'],
    ['a URL that is missing', '/A <</S /URI>>'],
  ])('are removed without moving any bytes: %s', (_, ...objects) => {
    const pdf = annotated(...(objects as [string, ...string[]]));
    const { length } = pdf;
    const after = withoutActions(pdf).toString('latin1');
    expect(after).toHaveLength(length);
    expect(after).not.toMatch(/URI|JavaScript|Launch/);
    const file = new PdfFile(pdf);
    expect([...file.pages()]).toHaveLength(1);
  });

  it.each(['/A <</S /URI /URI (HTTPS://x.example)>>', `/A <</S /URI /URI ${hex('tel:1')}>>`, '/Dest /x'])(
    'remain when they are allowed: %s',
    (annotation) => {
      const pdf = annotated(annotation);
      expect(withoutActions(pdf).equals(annotated(annotation))).toBe(true);
    },
  );

  it('are read one at a time, because a page can have very many', () => {
    const file = new PdfFile(
      handmadePdf([
        '<</Type /Catalog /Pages 2 0 R>>',
        '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
        '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R>>',
        '<</Type /Annot /Subtype /Link /Rect [0 0 9 9]>>',
        // The array is invalid after its first two elements.
        '[4 0 R 4 0 R )]',
      ]),
    );
    const [page] = [...file.pages()];
    const work = removeActions(file, page?.entries ?? new Map());
    expect(work.next().done).toBe(false);
    expect(work.next().done).toBe(false);
    expect(() => work.next()).toThrow(PdfSyntaxError);
  });
});
