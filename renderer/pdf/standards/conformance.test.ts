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
import { runInSlices } from '../../time-slices.ts';
import { PdfUpdate } from '../file/pdf-update.ts';
import { ContentArtifacts } from './content-artifacts.ts';
import { checkFile } from './finished-file.ts';
import { applies, ruleAt, type CheckedRule } from './rule-at-level.ts';
import { srgbProfile } from './srgb-profile.ts';
import { checkStructure } from './structure-check.ts';
import { assertNone, Violations } from './violations.ts';
import { StructureTree, type StructureElement } from './structure-tree.ts';

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
    ['no language', 'a-3a', { html: '<title>x</title><body lang="de">x' }, /no language.*6\.7\.4/],
    ['no title', 'a-3a', { html: 'x', options: english.options }, /no title/],
    [
      'no title of an accessible file',
      'ua-1',
      { html: 'x', options: english.options },
      /UA-1: it has no title.*14289-1, 7\.1/,
    ],
    ['no language of one', 'ua-1', { html: '<title>x</title>y' }, /no language.*14289-1, 7\.2/],
    [
      'an image without a description',
      'a-2a+ua-1',
      { ...english, html: `<img alt="a" src="${image}">\n<img class="b" src="${image}">` },
      /A-2a and PDF\/UA-1: an image has no alternative text: img\.b \(ISO 14289-1, 7\.3\) \(line 2, column 1\)$/,
    ],
    [
      'a drawing whose description is lost',
      'ua-1',
      { ...english, html: '<video aria-label="a"></video>' },
      /skip a drawing with a description.*: video \(ISO 14289-1, 7\.3\) \(line 1, column 1\)$/,
    ],
    [
      'one of two drawings with the same description',
      'ua-1',
      {
        html: '<title>T</title><svg aria-label="a"><path d="M0 0H9V9"/></svg><video aria-label="a"></video>',
        options: { properties: { language: 'en' } },
      },
      /skip a drawing with a description/,
    ],
    [
      'a lost drawing on any page',
      'ua-1',
      {
        html: '<p>a<video aria-label="b" style="display: block; break-before: page"></video>',
        options: { properties: { language: 'en', title: 'T' }, pageRanges: '1' },
      },
      /skip a drawing with a description.*: video /,
    ],
    [
      'a link that screen readers must skip',
      'ua-1',
      { ...english, html: '<p>a\n<p aria-hidden="true"><a class="b" href="https://a.b">c</a>' },
      /a link is not part of the structure: a\.b \(ISO 14289-1, 7\.18\.5\) \(line 2, column 23\)$/,
    ],
    [
      'text with a filter',
      'ua-1',
      { ...english, html: '<p>a\n<div style="filter: blur(1px)"><p>b</p></div>' },
      /skip text or an image with a CSS filter, .*: div \(ISO 14289-1, 7\.1\) \(line 2, column 1\)$/,
    ],
    [
      'a frame',
      'ua-1',
      { ...english, html: '<iframe srcdoc="a"></iframe>' },
      /content of a frame.*: iframe /,
    ],
    [
      'a skipped heading',
      'ua-1',
      { ...english, html: '<h1>a</h1>\n<h3>b' },
      /level 3 follows one of level 1: h3 \(ISO 14289-1, 7\.4\.2\) \(line 2, column 1\)$/,
    ],
    [
      'a ragged table',
      'ua-1',
      { ...english, html: '<table id="a" border="1"><tr><th>b<th>c<tr><td>d</table>' },
      /row 2 of a table does not have 2 columns.*: table#a \(ISO 14289-1, 7\.2\) \(line 1, column 1\)$/,
    ],
    [
      'a character without a font',
      'ua-1',
      { ...english, html: '\ud83e\udff0' },
      /no font has .*14289-1, 7\.21\.8/,
    ],
  ])('fails: %s', async (_what, level, document, message) => {
    const error: unknown = await render(document, level).catch((reason: unknown) => reason);
    const failure = { code: 'conformance_failed', retryable: false };
    expect(placedError(error, { html: document.html })).toMatchObject({
      ...failure,
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('does not include one that its level allows', async () => {
    await expect(render({ html: '<p lang="en_US">x' }, 'a-3u')).resolves.toBeInstanceOf(Buffer);
  });
});

describe('links of a tagged document', () => {
  it('are described by their text, or otherwise by their address', async () => {
    const html = `<title>T</title><a href="https://a.b/1">a <b>b</b>old<br>c</a> <a href="https://a.b/2"><img alt="d" src="${image}"></a>
      <a href="https://a.b/2">ü (</a> <a href="https://a.b/6" role="button">k</a> <a href="https://a.b/6" hidden>m</a> <a href="https://a.b/6">n</a> <a href="#e">f</a> <a href="https://a.b/3" aria-label="g">h</a> <p id="e">
      <a href="https://a.b/4" style="display: inline-block; width: 1em">i j</a> <a href="https://a.b/5"><i>\u3000</i>${'&nbsp;'.repeat(3)}</a>`;
    const pdf = await render({ html, options: { properties: { language: 'en' } } }, 'a-2a');
    const file = new PdfFile(pdf);
    const texts = [...file.pages()].flatMap(({ entries }) =>
      [...(file.elements(entries.get('Annots') ?? expect.fail()) ?? [])].map((annotation) =>
        textOf(file.text(file.dictionary(annotation).get('Contents') ?? expect.fail())),
      ),
    );
    expect([...new Set(texts)]).toEqual(['a bold c', 'd', 'ü (', 'k', 'n', 'f', 'g', 'https://a.b/5', 'i j']);
  });
});

describe('an accessible file', () => {
  const language = 'en';
  const outlineOf = async (html: string, options: TestDocument['options'] = {}) => {
    const properties = { language, title: 'T' };
    const pdf = await render({ html, options: { ...options, properties } }, 'a-3a+ua-1');
    const tree = await runInSlices(StructureTree.read(new PdfFile(pdf)));
    const outline = (element: StructureElement): string => {
      const kids = tree.kids(element).map(outline);
      return element.type + (kids.length > 0 ? `(${kids.join(' ')})` : '');
    };
    const [[document] = []] = tree.inOrder();
    return document && outline(document).slice('Document('.length, -1);
  };

  it.each<[what: string, html: string, structure: string]>([
    ['other elements in a list', '<ul><li>a</li><p>b</ul>', 'L(LI(Lbl LBody) LI(LBody(P)))'],
    ['items with another role', '<ol><li role="doc-endnote">a</ol>', 'L(LI(Lbl LBody))'],
    [
      'blocks in a caption',
      '<table border="1"><caption><p>a<p>b</caption><tr><th>c<td>d</table>',
      'Table(Caption(P P) TR(TH TD))',
    ],
    [
      'items without a list',
      '<p>a</p><div><li>b</li><li>c</li>d<li>e',
      'P L(LI(LBody) LI(LBody)) L(LI(LBody))',
    ],
    ['text with a mask', '<p style="mask-image: linear-gradient(#000, #0008)">a <b>b</b></p>', 'P'],
    ['links with another role', '<p><a role="button" href="https://a.b">a</a>', 'P(Link)'],
  ])('has a valid place for %s', async (_what, html, structure) => {
    expect(await outlineOf(html)).toBe(structure);
  });

  it('may have pages without the drawings of other pages', async () => {
    const html =
      '<p>a</p><svg aria-label="b" style="display: block; break-before: page"><path d="M0 0H9V9"/></svg>';
    expect(await outlineOf(html, { pageRanges: '1' })).toBe('P');
  });

  it('describes lists, empty cells and figures', async () => {
    const html = `<title>T</title><ul><li>a<ul><li>b<p>c</ul></ul><figure><img alt="i" src="${image}"><figcaption>n</figure><a href="javascript:1">o</a>
      <table><tr><th>d<th>e<th>f<tr><td><td>g<td><tr><td><td><td><tr><td colspan="2"><td>h</table>
      <svg role="img" aria-labelledby="s"><g opacity=".5"><path id="p" d="M0 0H9V9"/></g><text id="s" y="9">Two  s</text><use href="#p"/></svg>
      <svg><title>a</title><text y="9">x</text></svg><svg><title>l</title><a href="#p"><circle r="9"/></a></svg><div role="img" aria-label="d"><i>y</i></div>
      <select title="s"><option>o<option selected>p</select><progress aria-label="40 %"></progress>`;
    const file = new PdfFile(await render({ html, options: { properties: { language } } }, 'a-3a+ua-1'));
    const tree = await runInSlices(StructureTree.read(file));
    const outline = (element: StructureElement): string => {
      const kids = tree.kids(element).map(outline);
      return element.type + (kids.length > 0 ? `(${kids.join(' ')})` : '');
    };
    const all = [...tree.inOrder()].map(([element]) => element);
    const of = (type: string) => outline(all.find((element) => element.type === type) ?? expect.fail());
    expect(of('L')).toBe('L(LI(Lbl LBody(L(LI(Lbl LBody(P))))))');
    expect(of('Table')).toBe('Table(TR(TH TH TH) TR(TD TD TD) TR(TD TD TD) TR(TD TD))');
    expect(of('Link')).toBe('Link');
    expect(outline(all[0] ?? expect.fail())).toContain(') Figure Caption Link Table(');
    const alternatives = all.flatMap(({ object }) => new Map(tree.texts(object)).get('Alt') ?? []);
    expect(alternatives.map(textOf)).toEqual(['i', 'Two s', 'a x', 'l', 'd', 's p', '40 %']);
    for (const [element, parent] of tree.inOrder()) {
      if (element.type === 'LBody')
        expect(new Map(tree.texts(element.object)).get('P')).toBe(`${parent?.object} 0 R`);
    }
  });

  const MARK = '/P <</MCID 0 >>BDC';
  it.each<[what: string, content: string, expected: string | RegExp]>([
    ['a drawing', '0 0 9 9 re\nf', '/Artifact BMC 0 0 9 9 re f EMC'],
    [
      'a drawing around a mark',
      `q\n/G3 gs\n${MARK}\nBT ET\nEMC\nQ f`,
      `q /G3 gs ${MARK} BT ET EMC Q /Artifact BMC f EMC`,
    ],
    ['a mark after a drawing', `f\n${MARK} f EMC`, `/Artifact BMC f EMC ${MARK} f EMC`],
    [
      'text for another',
      'BT /Span<</ActualText (a)>>BDC [<00>] TJ EMC ET',
      '/Artifact BMC BT /Span<</ActualText (a)>>BDC [<00>] TJ EMC ET EMC',
    ],
    ['an artifact', '/Artifact <</Type /Layout >>BDC f EMC', '/Artifact <</Type /Layout >>BDC f EMC'],
    ['an image', '/X1 Do', '/Artifact BMC /X1 Do EMC'],
    ['a drawing with marks', 'f\n/X2 Do f', '/Artifact BMC f EMC /X2 Do /Artifact BMC f EMC'],
    ['a drawing around such a drawing', '/X3 Do', '/X3 Do'],
    ['such a drawing in a mark', `${MARK} f\n/X2 Do EMC f`, `${MARK} f EMC /X2 Do /Artifact BMC f EMC`],
    ['such a drawing that is repeated', '/X2 Do /X2 Do', /drawn twice.*7\.20/],
    ['a mark in a mark', `${MARK} ${MARK} EMC EMC`, /is not known.*7\.1/],
    ['a mark in text', `BT ${MARK} EMC ET`, /is not known.*7\.1/],
    ['an open mark', MARK, /is not known.*7\.1/],
  ])('has everything else in artifacts: %s', async (_what, content, expected) => {
    const file = new PdfFile(
      handmadePdf([
        '<</A 2 0 R /XObject <</X1 3 0 R /X2 4 0 R /X3 5 0 R>>>>',
        streamOf(content),
        '<</Subtype /Image>>',
        '<</Subtype /Form /StructParents 1>>',
        '<</Subtype /Form /Resources <</XObject <</X2 4 0 R>>>>>>',
      ]),
    );
    const resources = file.dictionary(file.trailer.get('Root'));
    const stream = file.stream(resources.get('A') ?? expect.fail()) ?? expect.fail();
    const marked = async () => {
      const violations = new Violations('ua-1');
      const artifacts = new ContentArtifacts(file, new PdfUpdate(file), violations);
      let text = '';
      for await (const part of artifacts.marked(stream, resources)) text += part.toString('latin1');
      assertNone(violations.all);
      return text.trim().replaceAll(/\s+/g, ' ');
    };
    if (expected instanceof RegExp) await expect(marked()).rejects.toThrow(expected);
    else expect(await marked()).toBe(expected);
  });
});

describe('metadata', () => {
  it.each<[ConformanceLevel, string | null, string | null, string | null]>([
    ['a-3u', '3', 'U', null],
    ['ua-1', null, null, '1'],
    ['a-2a+ua-1', '2', 'A', '1'],
  ])(
    'repeats the properties of the file and states its level: %s',
    async (level, part, letter, accessible) => {
      const title = '<&>]]> \\ (é) 🦄';
      const properties = {
        title: `${title}\u0001`,
        author: 'A & B',
        subject: 'S',
        keywords: ['a', 'b'],
        language: 'en',
      };
      const pdf = await render({ html: 'x', options: { properties } }, level);
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
      const claims = ['pdfaid:part', 'pdfaid:conformance', 'pdfuaid:part'].map((name) => metadata.get(name));
      expect(claims).toEqual([part, letter, accessible]);
    },
  );

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
    const found = new Set<CheckedRule | undefined>();
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
    ['no glyph', { content: text('00010000'), map }, ['6.2.11.8-1']],
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

  /** Objects of structure elements in the notation `L(LI(LBody{/Lang (en)}))`, from object 3. */
  const elementsOf = (notation: string): string[] => {
    const elements: { type: string; parent: number; more: string; kids: number[] }[] = [];
    const open = [2];
    let last = 2;
    for (const [token] of notation.matchAll(/\w+|[()]|\{[^}]*\}/g)) {
      if (token === '(') open.push(last);
      else if (token === ')') open.pop();
      else if (token.startsWith('{')) Object.assign(elements[last - 3] ?? {}, { more: token.slice(1, -1) });
      else {
        const parent = open.at(-1) ?? 2;
        last = elements.push({ type: token, parent, more: '', kids: [] }) + 2;
        elements[parent - 3]?.kids.push(last);
      }
    }
    return elements.map(
      ({ type, parent, more, kids }) =>
        `<</Type /StructElem\n/S /${type}\n/P ${parent} 0 R\n/K [${kids.map((kid) => `${kid} 0 R`).join(' ')}] ${more}>>`,
    );
  };
  it.each<[structure: string, rules: CheckedRule[]]>([
    ['Table(Caption TR(TH{/A <</Scope /Row>>} TD) Div(TR(TD TD)))', []],
    ['Table(TR(TD TD) TR(TD))', ['7.2-42']],
    ['Table(TR(TD) TR(TD{/A [<</ColSpan 2>>]}))', ['7.2-43']],
    ['Table(TR(TD{/A [<</RowSpan 2>>]} TD) TR(TD))', []],
    ['Table(TR(TD{/A [<</RowSpan 2>>]}))', ['7.2-41']],
    ['Table(TR(TD TD{/A [<</RowSpan 2>>]} TD) TR(TD{/A [<</ColSpan 2>>]}))', ['7.2-15']],
    ['Table(TR(TH))', ['7.5-1']],
    ['Table(TR(TD) Caption TR(TD))', ['7.2-16']],
    ['Table(Caption Caption)', ['7.2-39']],
    ['Table(THead(TR(TD)))', ['7.2-14']],
    ['Table(TFoot(TR(TD)))', ['7.2-13']],
    ['Table(THead THead TBody TFoot TFoot)', ['7.2-11', '7.2-12']],
    ['Table(P)', ['7.2-3']],
    ['Sect(TR(TD) TBody(TR(P)))', ['7.2-4', '7.2-6', '7.2-10']],
    ['L(LI(Lbl LBody(L(LI))))', []],
    ['L(P LI(P) Caption) LI LBody', ['7.2-19', '7.2-40', '7.2-20', '7.2-17', '7.2-18']],
    ['Figure Formula Form Note', ['7.3-1', '7.7-1', '7.18.4-2', '7.9-1']],
    ['Figure{/Alt (a)} Formula{/ActualText ()} Form{/A <</Role /tv>>}', []],
    ['H1 H2 H3 H2 H1', []],
    ['H2 H1 H3', ['7.4.2-1']],
    ['H1 Sect(H H)', ['7.4.4-1', '7.4.4-2']],
  ])('finds what makes a structure inaccessible: %s', async (notation, rules) => {
    const elements = elementsOf(notation);
    const pdf = handmadePdf([
      '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 2 0 R>>',
      `<</Type /Pages /Count 0 /Kids [] /K [${elements.flatMap((element, index) => (element.includes('/P 2 0 R') ? `${index + 3} 0 R` : [])).join(' ')}]>>`,
      ...elements,
    ]);
    const found = new Set<CheckedRule | undefined>();
    await checkStructure(new PdfFile(pdf), (rule) => void found.add(rule));
    expect(found).toEqual(new Set(rules));
  });

  it('applies each rule to its levels', () => {
    const levels: ConformanceLevel[] = ['a-2b', 'a-2u', 'a-3a', 'ua-1', 'a-3a+ua-1'];
    const scopes = (rule: Parameters<typeof applies>[0]) => levels.filter((level) => applies(rule, level));
    expect(scopes('6.2.11.8-1')).toEqual(['a-2b', 'a-2u', 'a-3a', 'a-3a+ua-1']);
    expect(scopes('6.2.11.7.2-1')).toEqual(['a-2u', 'a-3a', 'a-3a+ua-1']);
    expect(scopes('6.7.4-1')).toEqual(['a-3a', 'a-3a+ua-1']);
    expect(scopes('6.8-3')).toEqual(['a-3a', 'a-3a+ua-1']);
    expect(scopes('6.8-5')).toEqual(['a-2b', 'a-2u']);
    expect(scopes('7.3-1')).toEqual(['ua-1', 'a-3a+ua-1']);
    expect(levels.map((level) => ruleAt('6.2.11.7.2-1', level))).toEqual([
      undefined,
      '6.2.11.7.2-1',
      '6.2.11.7.2-1',
      '7.21.7-1',
      '6.2.11.7.2-1',
    ]);
  });
});
