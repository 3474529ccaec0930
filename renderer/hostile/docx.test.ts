import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentPage } from '../browser/page/document-page.ts';
import { emptyPng, IMAGE_BOMBS } from '../testing/hostile-documents.ts';
import { LoopbackListener } from '../testing/browser/loopback-listener.ts';
import { pngPixel } from '../testing/files/png.ts';
import { descendants, DocxFile } from '../testing/files/read-docx.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';

const BODY = 'word/document.xml';
const HELLO = { html: '<p>Hello</p>' };
/** Twentieths of a point: the longest length in Word. */
const LONGEST = 31_680;

const fixture = RendererFixture.forSuite({ browsers: 2 });
let listener: LoopbackListener;
beforeAll(async () => {
  listener = await LoopbackListener.start();
});
afterAll(() => listener.stop());

const fileOf = async (html: string, account = 'acme') => {
  const content = { html: `<!doctype html><body>${html}` };
  return new DocxFile((await fixture.complete(content, { format: 'docx', account })).file);
};
const failureOf = async (html: string, deadlineMs?: number) => {
  const order = { format: 'docx', ...(deadlineMs !== undefined && { deadlineMs }) } as const;
  const outcome = await fixture.render({ html: `<!doctype html><body>${html}` }, order);
  return outcome.status === 'failed' ? outcome.failure : undefined;
};
const textOf = (file: DocxFile) => file.paragraphs().join('\n');
/** External references in all of the file's parts. */
const outsideOf = (file: DocxFile) =>
  [...file.parts.keys()]
    .filter((name) => name.endsWith('.rels'))
    .flatMap((name) => file.all(name, 'Relationship'))
    .filter(({ attributes }) => attributes['TargetMode'] !== undefined)
    .map(({ attributes }) => `${attributes['Type']?.split('/').at(-1)} ${attributes['Target']}`);
const mediaOf = (file: DocxFile) =>
  [...file.parts]
    .filter(([name]) => name.startsWith('word/media/'))
    .map(([name, bytes]) => ({ name, bytes }));

describe('the DOCX file of a hostile document', () => {
  it.each([
    ['boxes', '<div style="border:1px solid">', 480],
    ['tables', '<table><tr><td>', 160],
    ['lists', '<ul><li>', 240],
    ['texts', '<i>', 500],
    ['flex boxes', '<div style="display:flex"><b>x</b>', 240],
  ])('contains the text in deeply nested %s', async (_, beginning, depth) => {
    expect(textOf(await fileOf(`${beginning.repeat(depth)}in the depth`))).toContain('in the depth');
  });

  it('is valid with names of the JavaScript Object prototype', async () => {
    const file = await fileOf(
      `<constructor style="display:block">block</constructor><ul style="list-style-type:constructor"><li>item</ul>
       <p style="font-family:constructor">text</p><img alt="image" width="9" height="9" src="data:image/constructor;base64,AAAA">`,
    );
    // An unknown style uses decimal numbers (CSS Counter Styles 3, 4).
    expect(textOf(file)).toMatch(/^block\n1\.\titem\ntext/);
    for (const [name, content] of file.parts) expect(`${name} ${content.toString()}`).not.toContain('native');
  });

  it("keeps text that looks like the library's placeholders", async () => {
    const names = ['{decimal-1-1}', '{disc-1-1}', '{disc-1-2}', '{image1.png}', '{0}'].join(' ');
    expect(textOf(await fileOf(`<ul><li>${names}</ul><ol><li>x</ol>`))).toBe(`${names}\nx`);
  });

  it('is valid with characters that XML does not allow', async () => {
    const bad = '&#1;&#8;&#xb;&#x1f;&#xfffe;&#xffff;\ud800';
    const file = await fileOf(
      `<title>t${bad}</title><p title="${bad}" style='font-family:"a\\1 b"'>a${bad}b</p>
       <img width="9" height="9" alt="c${bad}" src="data:image/png;base64,${pngPixel()}"><a href="https://example.com/${bad}">d${bad}</a>`,
    );
    expect(textOf(file)).toMatch(/^ab?\ufffd?b?/u);
    for (const [name, content] of file.parts) {
      if (/\.(?:xml|rels)$/.test(name)) expect(content.toString()).not.toMatch(/[\ufffe\uffff]/u);
    }
  });

  it('limits extreme lengths, numbers and names', async () => {
    const file = await fileOf(
      `<p style="line-height:300000px;letter-spacing:99999px;margin:90000px;padding:50000px;font-size:99999px">x
       <ol start="999999999"><li>x</ol><p style="font-family:${'x'.repeat(9999)}">x<table style="width:9999999px"><td style="padding:99999px">x</table>
       <img width="900000" height="900000" src="data:image/png;base64,${pngPixel()}"><svg width="1900" height="900000"></svg>`,
    );
    const elements = descendants(file.xml(BODY)).concat(descendants(file.xml('word/numbering.xml')));
    const lengths = elements.flatMap(({ attributes }) =>
      ['w:line', 'w:before', 'w:after', 'w:left', 'w:right', 'w:w', 'w:val'].map((name) => attributes[name]),
    );
    const numbers = lengths.filter((length) => /^-?\d/.test(length ?? '')).map(Number);
    expect(Math.max(...numbers.map(Math.abs))).toBeLessThanOrEqual(LONGEST);
    const sides = file.all(BODY, 'wp:extent').flatMap(({ attributes: { cx, cy } }) => [cx, cy].map(Number));
    // The same length in English metric units.
    expect(Math.max(...sides)).toBeLessThanOrEqual(LONGEST * 635);
    const fonts = file.all(BODY, 'w:rFonts').map(({ attributes }) => attributes['w:ascii'] ?? '');
    expect(Math.max(...fonts.map(({ length }) => length))).toBeLessThan(32);
  });

  it('limits the columns of a table and keeps all text', async () => {
    const file = await fileOf(
      `<table>${`<tr>${'<td rowspan="65534" colspan="2">x'.repeat(20)}`.repeat(60)}</table>
       <table><tr>${'<td>y'.repeat(2000)}</table><div style="display:grid;grid-template-columns:repeat(500,1px)">${'<i>z</i>'.repeat(500)}</div>`,
    );
    for (const grid of file.all(BODY, 'w:tblGrid')) expect(grid.children.length).toBeLessThan(64);
    expect(textOf(file).match(/[yz]/g)).toHaveLength(2500);
  });

  it('is complete, or reaches a limit, with 150,000 line breaks in a paragraph', async () => {
    const failure = await failureOf(`<p>${'<br>'.repeat(150_000)}x`, 30_000);
    expect(failure?.code ?? 'made').toMatch(/^(?:made|deadline_exceeded|output_too_large)$/);
  });

  it("keeps the format's fields and markup as text", async () => {
    const text =
      '{ DDEAUTO c:\\windows\\system32\\cmd.exe "/k calc" } </w:t><w:instrText>INCLUDETEXT "file:///etc/passwd"';
    const file = await fileOf(
      `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p><w:fldsimple w:instr="DDE x">y</w:fldsimple>
       <w:altchunk r:id="rId1"></w:altchunk><object data="file:///etc/passwd">z</object><p style='font-family:"a&apos;&quot;><w:x"'>q`,
    );
    expect(textOf(file)).toContain(text);
    const names = new Set([...file.parts.keys()].flatMap((part) => elementNames(file, part)));
    for (const name of [
      'w:instrText',
      'w:fldSimple',
      'w:altChunk',
      'w:object',
      'w:x',
      'o:OLEObject',
      'w:subDoc',
    ]) {
      expect(names).not.toContain(name);
    }
    expect(outsideOf(file)).toEqual([]);
  });
});

const elementNames = (file: DocxFile, part: string) =>
  /\.(?:xml|rels)$/.test(part) ? descendants(file.xml(part)).map(({ name }) => name) : [];

describe('the external targets of a DOCX file', () => {
  it('are limited to web, mail and telephone links', async () => {
    const links = [
      'https://example.com/?a=1&amp;b=2',
      'HTTP://EXAMPLE.com',
      'mailto:a b@example.com',
      'tel:+43 1',
      'https://x.example/&quot;/&gt;&lt;Relationship Id=&quot;r&quot; TargetMode=&quot;External&quot; Target=&quot;file:///etc/passwd',
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      '\\\\server\\share',
      '//server/share',
      'ftp://example.com',
      'data:text/html,x',
      'vbscript:x',
      'ms-word:ofe|u|https://example.com/x.docx',
      'search-ms:query=x',
      'https://[bad',
      'https:',
      `https://example.com/${'x'.repeat(100_000)}`,
    ];
    const file = await fileOf(links.map((href) => `<a href="${href}">x</a>`).join(' '));
    expect(outsideOf(file)).toEqual([
      'hyperlink https://example.com/?a=1&b=2',
      'hyperlink http://example.com/',
      'hyperlink mailto:a%20b@example.com',
      'hyperlink tel:+43%201',
      'hyperlink https://x.example/%22/%3E%3CRelationship%20Id=%22r%22%20TargetMode=%22External%22%20Target=%22file:///etc/passwd',
    ]);
  });

  it('do not include images', async () => {
    const url = `http://127.0.0.1:${listener.port}/`;
    const file = await fileOf(
      `<img alt="one" width="9" height="9" src="${url}a.png"><img alt="two" srcset="${url}b.png 1x"><img alt="three" width="9" height="9" src="file:///etc/passwd">
       <svg width="20" height="20"><image href="${url}c.png" width="20" height="20"/></svg><img width="20" height="20" src='data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}d"/></svg>'>
       <p style="background:url(${url}e);list-style-image:url(${url}f)">x</p><object data="${url}g"></object><iframe src="${url}h"></iframe>`,
    );
    expect(outsideOf(file)).toEqual([]);
    expect(textOf(file)).toMatch(/one.*two.*three/);
    expect(listener.seen).toEqual([]);
  });
});

describe('images in a DOCX file', () => {
  const image = (type: string, content: Buffer | string) =>
    `<img alt="none" width="50" height="50" src="data:image/${type};base64,${content.toString('base64')}">`;
  const png = Buffer.from(pngPixel(), 'base64');

  it('are omitted if they are not valid images', async () => {
    const metafile = Buffer.from('d7cdc69a000000000000640064006000000000', 'hex');
    const markup = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>');
    const broken = [
      metafile,
      markup,
      Buffer.from('GIF89a'),
      png.subarray(0, 20),
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    ];
    const file = await fileOf(
      ['png', 'jpeg', 'gif'].flatMap((type) => broken.map((content) => image(type, content))).join(''),
    );
    expect(mediaOf(file)).toEqual([]);
    expect(textOf(file)).toBe('none'.repeat(15));
  });

  it('have the extension of their actual format', async () => {
    const [only, ...others] = mediaOf(await fileOf(image('gif', png)));
    expect([only?.name.split('.').at(-1), others]).toEqual(['png', []]);
  });

  it.each([
    ['a png of 10,000 by 10,000', image('png', emptyPng(10_000))],
    ['an svg of a million by a million', IMAGE_BOMBS['an svg of a million by a million']?.().html ?? ''],
  ])("are omitted if they would exhaust the reader's memory: %s", async (_, html) => {
    expect(html).not.toBe('');
    for (const { bytes } of mediaOf(await fileOf(html))) {
      expect(bytes.readUInt32BE(16) * bytes.readUInt32BE(20)).toBeLessThan(4_000_000);
    }
  });

  it("fail the document before its drawings exhaust the renderer's memory", async () => {
    const drawing = (seed: number) =>
      `<svg><filter id="f${seed}"><feTurbulence baseFrequency=".9" seed="${seed}"/></filter><rect width="1900" height="2000" filter="url(#f${seed})"/></svg>`;
    const html = `<style>svg{display:block;width:1900px;height:2000px}</style>${Array.from({ length: 30 }, (_, seed) => drawing(seed)).join('')}`;
    expect(await failureOf(html)).toEqual({
      code: 'output_too_large',
      message: `the images for the document's drawings exceed ${50 * 2 ** 20} bytes`,
      retryable: false,
    });
  });
});

describe('a DOCX document with 100,000 cells', () => {
  const cells = (count: number, cell: string) =>
    `<table>${`<tr>${cell.repeat(10)}`.repeat(count / 10)}</table>`;

  it('exceeds the limit on elements and text nodes', async () => {
    expect(await failureOf(cells(100_000, '<td>x'))).toMatchObject({
      code: 'output_too_large',
      message: expect.stringMatching(
        /^the document has 2\d{5} elements and text nodes; the limit for this format is 150000/,
      ) as string,
      retryable: false,
    });
  });

  it('ends at its deadline or memory limit, while other documents complete', async () => {
    const html = cells(100_000, '<td>');
    const snapshot = vi.spyOn(DocumentPage.prototype, 'snapshot');
    onTestFinished(() => snapshot.mockRestore());
    const long = await fixture.order({ html }, { format: 'docx', deadlineMs: 90_000 });
    /** Whether the document has moved from the browser to composition. */
    const isComposed = () => {
      const [index] = snapshot.mock.calls.flatMap(([given], call) => (given.includes(html) ? [call] : []));
      return index !== undefined && snapshot.mock.settledResults[index]?.type === 'fulfilled';
    };
    let beside = 0;
    while (!['completed', 'failed'].includes(await fixture.status(long))) {
      const wasComposed = isComposed();
      expect(textOf(await fileOf(HELLO.html, 'globex'))).toBe('Hello');
      if (wasComposed && (await fixture.status(long)) === 'active') beside += 1;
    }
    expect(beside).toBeGreaterThanOrEqual(5);
    const code = expect.stringMatching(/^(?:deadline_exceeded|output_too_large)$/) as string;
    expect(await fixture.outcomeOf(long)).toMatchObject({ failure: { code, retryable: false } });
    expect(textOf(await fileOf(HELLO.html))).toBe('Hello');
  }, 180_000);
});
