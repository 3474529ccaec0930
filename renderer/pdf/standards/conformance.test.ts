import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import type { ConformanceLevel } from '@trifold/crds';
import { placedError } from '../../task/placed-warnings.ts';
import { testPage } from '../../testing/browser/test-browser.ts';
import { pngPixel } from '../../testing/files/png.ts';
import { handmadePdf, streamOf } from '../../testing/files/handmade-pdf.ts';
import { renderDocument, type TestDocument } from '../../testing/render-document.ts';
import { PdfFile } from '../file/pdf-file.ts';
import { textOf } from '../file/pdf-text.ts';
import { checkFile } from './finished-file.ts';
import { applies, type CheckedRule } from './rules.ts';
import { srgbProfile } from './srgb-profile.ts';

const image = `data:image/png;base64,${pngPixel()}`;
const chromium = testPage();
const render = (document: TestDocument, conformance: ConformanceLevel) =>
  renderDocument(chromium.page, { ...document, options: { ...document.options, conformance } });

describe('a document that cannot conform', () => {
  const english = { options: { properties: { language: 'en' } }, features: { title: 'Title' } };
  it.each<[what: string, level: ConformanceLevel, document: TestDocument, message: RegExp]>([
    [
      'a missing glyph',
      'a-2b',
      { html: '\ud83e\udff0' },
      /page 1 shows a character that no font has .*-2, 6\.2\.11\.8/,
    ],
    [
      'a long link',
      'a-3b',
      { html: `<a href="https://a.b/${'a'.repeat(32_768)}">x` },
      /32,767 bytes \(ISO 19005-3/,
    ],
    ['a long title', 'a-2b', { html: `<title>${'ü'.repeat(17_000)}</title>` }, /32,767 bytes/],
    ['a coordinate', 'a-2b', { html: '<svg><path d="M0 0L1e10 9L3e9 5"/></svg>' }, /too large .* 6\.1\.13/],
    [
      'a small page',
      'a-2b',
      {
        html: '',
        options: { pageSize: 'custom', width: '2px', height: '1in', margins: { left: '0in', right: '0in' } },
      },
      /sides of page 1/,
    ],
    ['a language tag', 'a-2a', { ...english, html: '<p lang="en_US">x' }, /6\.7\.4\) \(line 1, column 4\)$/],
    ['no language', 'a-3a', { html: '<title>x</title><p lang="de">x' }, /no language.*6\.7\.4/],
    ['no title', 'a-3a', { html: 'x', options: english.options }, /no title/],
  ])('fails: %s', async (_what, level, document, message) => {
    const error: unknown = await render(document, level).catch((reason: unknown) => reason);
    const failure = { code: 'conformance_failed', retryable: false };
    expect(placedError(error, { html: document.html })).toMatchObject({
      ...failure,
      message: expect.stringMatching(message) as unknown,
    });
  });

  it.each<[html: string, level: ConformanceLevel]>([
    ['<p lang="en_US">x', 'a-3u'],
    ['<title>x</title><body lang="de">x', 'a-3a'],
  ])('is not one that its level allows: %s', async (html, level) => {
    await expect(render({ html }, level)).resolves.toBeInstanceOf(Buffer);
  });
});

describe('links of a tagged document', () => {
  it('are described by their text, or else by their address', async () => {
    const html = `<title>T</title><a href="https://a.b/1">a <b>b</b>old<br>c</a> <a href="https://a.b/2"><img alt="d" src="${image}"></a>
      <a href="https://a.b/2">ü (</a> <a href="#e">f</a> <a href="https://a.b/3" aria-label="g">h</a> <p id="e">
      <a href="https://a.b/4" style="display: inline-block; width: 1em">i j</a> <a href="https://a.b/5"><i>\u3000</i>${'&nbsp;'.repeat(3)}</a>`;
    const pdf = await render({ html, options: { properties: { language: 'en' } } }, 'a-2a');
    const file = new PdfFile(pdf);
    const texts = [...file.pages()].flatMap(({ entries }) =>
      [...(file.elements(entries.get('Annots') ?? expect.fail()) ?? [])].map((annotation) =>
        textOf(file.text(file.dictionary(annotation).get('Contents') ?? expect.fail())),
      ),
    );
    expect([...new Set(texts)]).toEqual(['a bold c', 'd', 'ü (', 'f', 'g', 'https://a.b/5', 'i j']);
  });
});

describe('metadata', () => {
  it('repeats the properties of the file and states its level', async () => {
    const title = '<&>]]> \\ (é) 🦄';
    const properties = { title: `${title}\u0001`, author: 'A & B', subject: 'S', keywords: ['a', 'b'] };
    const pdf = await render({ html: 'x', options: { properties } }, 'a-3u');
    const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
    const { info, metadata } = await (await task.promise).getMetadata();
    await task.destroy();
    const values = {
      title: `${title}\ufffd`,
      creator: ['A & B'],
      description: 'S',
      format: 'application/pdf',
    };
    expect(info).toMatchObject({ Title: values.title, Author: 'A & B', Subject: 'S', Keywords: 'a, b' });
    for (const [name, value] of Object.entries(values)) expect(metadata.get(`dc:${name}`)).toEqual(value);
    expect(metadata.get('pdfaid:part')).toBe('3');
    expect(metadata.get('pdfaid:conformance')).toBe('U');
  });

  it('identifies the document', async () => {
    const idOf = async (id: string) =>
      /\/ID \[<(\w{32})> <\1>\]/.exec(
        (
          await renderDocument(chromium.page, {
            html: 'x',
            options: { conformance: 'a-2b' },
            features: { id },
          })
        ).toString('latin1'),
      )?.[1];
    expect(await idOf('one')).toBeDefined();
    expect(await idOf('one')).toBe(await idOf('one'));
    expect(await idOf('one')).not.toBe(await idOf('two'));
  });

  it('has a profile with the published colorants of sRGB', () => {
    const profile = srgbProfile();
    const values = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => {
      const at = profile.readUInt32BE(profile.indexOf(name) + 4);
      return [8, 12, 16].map((offset) => profile.readInt32BE(at + offset) / 2 ** 16);
    });
    const near = (value: number): unknown => expect.closeTo(value, 3);
    expect(profile.length).toBeLessThan(4096);
    expect(values).toEqual([
      [near(0.4361), near(0.2225), near(0.0139)],
      [near(0.3851), near(0.7169), near(0.0971)],
      [near(0.1431), near(0.0606), near(0.7139)],
    ]);
  });
});

describe('the check of a file', () => {
  interface Parts {
    readonly content?: string;
    readonly map?: string;
    readonly font?: string;
    readonly page?: string;
    readonly profile?: string;
  }
  const rulesOf = async ({ content = '', map = '', font = '', page = '', profile = '' }: Parts) => {
    const pdf = handmadePdf([
      '<</Pages 2 0 R /MarkInfo <</Marked true>> /StructTreeRoot 9 0 R /Lang (en)>>',
      '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
      `<</Type /Page /MediaBox [0 0 99 99] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>> ${page}>>`,
      streamOf(content),
      `<</Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Own /ToUnicode 6 0 R ${font}>>`,
      streamOf(map),
      '<</Type /FontDescriptor /FontFile2 6 0 R>>',
      streamOf(profile),
      '<</Type /StructTreeRoot>>',
      '<</Type /FontDescriptor>>',
    ]);
    const found = new Set<CheckedRule>();
    await checkFile(new PdfFile(pdf), { needsUnicode: true, report: (rule) => void found.add(rule) });
    return [...found];
  };
  const text = (code: string) => `BT /F 9 Tf [<${code}> -20] TJ ET\n`;
  const map =
    '2 beginbfchar <0001> <0041> <0002> <E000> endbfchar 1 beginbfrange <0003> <0004> <FEFE> endbfrange';
  const actual = '/Span <</ActualText (a)>> BDC\n';
  const icc = (version: number, kind: string) => `12345678${String.fromCharCode(version)}123${kind}RGB `;
  it.each<[what: string, parts: Parts, rules: CheckedRule[]]>([
    ['a character', { content: text('0001'), map }, []],
    ['no glyph', { content: text('00010000'), map }, ['6.2.11.8-1', '6.2.11.7.2-1']],
    ['no character', { content: text('0009'), map }, ['6.2.11.7.2-1']],
    ['an invalid character', { content: text('0004'), map }, ['6.2.11.7.2-2']],
    ['a private character', { content: text('0002'), map }, ['6.2.11.7.3-1']],
    ['a private character with its text', { content: `${actual}${text('0002')}EMC`, map }, []],
    ['one after such text', { content: `${actual}EMC\n${text('0002')}`, map }, ['6.2.11.7.3-1']],
    ['a font that is set again', { content: `q ${text('0001')} Q\nq ${text('0001')} Q`, map }, []],
    ['deep nesting', { content: 'q '.repeat(29) }, ['6.1.13-8']],
    [
      'numbers',
      { content: `2147483648 1${'0'.repeat(39)}.5 0.${'0'.repeat(38)}1 w` },
      ['6.1.13-1', '6.1.13-2', '6.1.13-5'],
    ],
    ['an embedded font', { font: '/FontDescriptor 7 0 R' }, []],
    ['a font that is not embedded', { font: '/FontDescriptor 10 0 R' }, ['6.2.11.4.1-1']],
    ['a long name', { font: `/FontName /${'a'.repeat(128)}` }, ['6.1.13-4']],
    ['a name that is not UTF-8', { font: '/FontName /a#e9' }, ['6.1.8-1']],
    ['a link', { page: '/Annots [<</Subtype /Link /F 4>>]' }, []],
    [
      'links without flags, and hidden',
      { page: '/Annots [<</Subtype /Link>> <</Subtype /Link /F 6>>]' },
      ['6.3.2-1', '6.3.2-2'],
    ],
    ['a video', { page: '/Annots [<</Subtype /Movie /F 4>>]' }, ['6.3.1-1']],
    ['a profile', { page: '/A [/ICCBased 8 0 R]', profile: icc(4, 'mntr') }, []],
    ['a device link', { page: '/A [/ICCBased 8 0 R]', profile: icc(2, 'link') }, ['6.2.4.2-1']],
    ['a new profile', { page: '/A [/ICCBased 8 0 R]', profile: icc(5, 'mntr') }, ['6.2.4.2-1']],
  ])('finds what breaks a rule: %s', async (_what, parts, rules) => {
    expect(await rulesOf(parts)).toEqual(rules);
  });

  it('applies each rule to its levels', () => {
    const levels: ConformanceLevel[] = ['a-2b', 'a-2u', 'a-3a'];
    const scopes = (rule: Parameters<typeof applies>[0]) => levels.filter((level) => applies(rule, level));
    expect(scopes('6.2.11.8-1')).toEqual(levels);
    expect(scopes('6.2.11.7.2-1')).toEqual(['a-2u', 'a-3a']);
    expect(scopes('6.7.4-1')).toEqual(['a-3a']);
    expect(scopes('6.8-3')).toEqual(['a-3a']);
    expect(scopes('6.8-5')).toEqual(['a-2b', 'a-2u']);
  });
});
