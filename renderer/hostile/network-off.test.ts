import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { LoopbackListener } from '../testing/browser/loopback-listener.ts';
import { launchWatchedBrowser, type WatchedBrowser } from '../testing/browser/network-journal.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { renderDocument } from '../testing/render-document.ts';
import { openPage } from '../testing/browser/test-browser.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { suiteDirectory } from '@trifold/test-support/files/test-directory.ts';

const PICTURE = { width: 400, height: 300, deviceScale: 1, fullPage: false };

/** Spellings of the addresses of this machine, its network and the metadata service. */
const HOSTS = `127.0.0.1 127.1 0x7f.1 0177.0.0.1 2130706433 0x7f000001 0.0.0.0 0 [::1] [::] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [0:0:0:0:0:0:0:1] [::7f00:1] localhost localhost. LOCALHOST app.localhost 127.0.0.1.nip.io
  ①②⑦.⓪.⓪.①`.split(/\s+/);
const hosts = (port: number) => HOSTS.map((host) => `http://${host}:${port}/`);
const METADATA = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://metadata.google.internal/',
];

/** Constructs with a URL in a document; `{url}` is its placeholder. */
const WAYS: Readonly<Record<string, string>> = {
  'an image': '<img src="{url}a"><input type="image" src="{url}b"><table background="{url}c"></table>',
  'an image with a srcset':
    '<img srcset="{url}a 1x, {url}b 2x"><picture><source srcset="{url}c"><img src="data:,"></picture>',
  'a frame':
    '<iframe src="{url}a"></iframe><iframe srcdoc="<img src={url}b><iframe src={url}c></iframe>"></iframe>',
  'a frame in a frameset': `<iframe srcdoc='<frameset><frame src="{url}a"></frameset>'></iframe>`,
  'an object':
    '<object data="{url}a"></object><embed src="{url}b"><object data="{url}c" type="image/svg+xml"></object>',
  'a stylesheet':
    '<link rel="stylesheet" href="{url}a"><link rel="alternate stylesheet" title="t" href="{url}b">',
  'an import': '<style>@import url({url}a);@import "{url}b" layer(x);@import url({url}c) print;</style>',
  css: `<style>p { background: url({url}a); cursor: url({url}b), auto; mask: url({url}c#m); clip-path: url({url}d#c);
    filter: url({url}e#f); list-style-image: url({url}f); border-image: url({url}g) 1; shape-outside: url({url}h);
    content: image-set(url({url}i) 1x) } p::before { content: url({url}j) } @page { background: url({url}k) }
    @media print { body { background: url({url}l) } }</style><ul><li>x</ul>`,
  'a font': '<style>@font-face { font-family: F; src: url({url}a) } p { font-family: F }</style>',
  'an svg': `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image href="{url}a"/><image xlink:href="{url}b"/>
    <use href="{url}c#x"/><feImage href="{url}d"/><filter id="f"><feImage href="{url}e"/></filter>
    <rect width="9" height="9" filter="url(#f)" fill="url({url}f#g)"/><textPath href="{url}g#p">t</textPath></svg>`,
  'an svg in an image': `<img src='data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><image href="{url}a"/></svg>'>`,
  'audio and video':
    '<video src="{url}a" poster="{url}b" preload autoplay></video><audio src="{url}c" autoplay></audio><video><track default src="{url}d"></video>',
  'a refresh': '<meta http-equiv="refresh" content="0;url={url}a">',
  'a base URL': '<base href="{url}"><img src="a"><iframe src="b"></iframe><link rel="stylesheet" href="c">',
  'a resource hint': `<link rel="dns-prefetch" href="{url}"><link rel="preconnect" href="{url}"><link rel="prefetch" href="{url}a">
    <link rel="preload" as="image" href="{url}b"><link rel="modulepreload" href="{url}c"><link rel="prerender" href="{url}d">
    <link rel="icon" href="{url}e"><link rel="manifest" href="{url}f"><meta http-equiv="x-dns-prefetch-control" content="on">
    <link rel="dns-prefetch" href="//trifold-prefetch.example"><link rel="preconnect" href="https://trifold-preconnect.example" crossorigin>`,
  'a header': `<meta http-equiv="Content-Security-Policy" content="default-src *; report-uri {url}a"><img src="{url}b">`,
  'a link and a form':
    '<a href="{url}a" ping="{url}b" autofocus>x</a><form action="{url}c"><input autofocus></form><a href="{url}d" download>x</a>',
  script: `<script src="{url}a"></script><script>new WebSocket("{url}".replace("http", "ws"));new EventSource("{url}b");
    fetch("{url}c");navigator.sendBeacon("{url}d");new RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1"}]})</script>
    <script type="speculationrules">{"prefetch":[{"source":"list","urls":["{url}e"]}]}</script>`,
  xml: `<object data='data:text/xml,<?xml-stylesheet href="{url}a"?><!DOCTYPE x [<!ENTITY e SYSTEM "{url}b">]><x>&e;</x>'></object>`,
};

let listener: LoopbackListener;
const folder = suiteDirectory();

beforeAll(async () => {
  listener = await LoopbackListener.start();
  for (const name of 'abcdefghijkl'.split('')) {
    writeFileSync(join(folder, name), '<h1>the content of a file</h1><style>p { color: red }</style>');
  }
});
afterAll(() => listener.stop());

/** A document with every construct and one URL. */
const document = (url: string, ways = Object.values(WAYS)) =>
  `<!doctype html><body><h2>quiet</h2><p>x</p>${ways.join('').replaceAll('{url}', url)}`;
/** Asserts that the output contains nothing from a file. */
const quiet = (pdf: { pages: readonly { text: string }[] }) => {
  const text = pdf.pages.map((page) => page.text).join(' ');
  expect(text).toContain('quiet');
  expect(text).not.toMatch(/content of a file|from the network|localhost|root:/);
};

it('the journal and the listener detect a connection that bypasses the page and the browser', async () => {
  const visited = async (without?: string) => {
    const watched = await launchWatchedBrowser(without === undefined ? {} : { without });
    const { connection } = watched.browser;
    // A browser page without request interception; documents never get such a page.
    const url = `http://trifold.localhost:${listener.port}/`;
    const { targetId } = await connection.send('Target.createTarget', { url });
    await eventually(async () => {
      const { targetInfo } = await connection.send('Target.getTargetInfo', { targetId });
      expect(targetInfo.title).not.toBe('');
    });
    return watched.stop();
  };
  expect(await visited()).toEqual([]);
  expect(listener.seen).toEqual([]);
  expect(await visited('--host-resolver-rules')).not.toEqual([]);
  expect(listener.seen).not.toEqual([]);
  listener.seen.length = 0;
});

describe.each([
  ['for print', {}],
  ['for pictures', { drawsFrames: true }],
])('a browser %s', (_, kind) => {
  let watched: WatchedBrowser;
  let page: DocumentPage;
  let journal: string[] | undefined;

  beforeAll(async () => {
    watched = await launchWatchedBrowser(kind);
    page = await openPage(watched.browser);
  });
  afterAll(async () => {
    if (!journal) await watched.stop();
  });

  /** A document may navigate to an empty page; it then fails. */
  const show = async (html: string) => {
    try {
      quiet(await readPdf(await page.print(html, WARM_UP_SETTINGS)));
      if ('drawsFrames' in kind) await page.capture(html, PICTURE);
      await page.blank();
    } catch (error) {
      expect(error).toMatchObject({ code: 'document_navigates' });
      expect(html).toContain('http-equiv="refresh"');
    }
    if (!page.usable) page = await openPage(watched.browser);
  };

  // Tests each construct separately where that is fast.
  const ways = 'drawsFrames' in kind ? { 'any element': Object.values(WAYS).join('') } : WAYS;
  it.each(Object.entries(ways))(
    'cannot reach anything through %s, on this machine, on the network or in a file',
    async (_, way) => {
      const file = `file://${folder}/`;
      const places = [
        `http://127.0.0.1:${listener.port}/`,
        file,
        file.replace('file', 'FILE'),
        `view-source:${file}`,
      ];
      places.push(
        'file:///etc/passwd#',
        `filesystem:${file}`,
        `blob:${file}`,
        'chrome://version/',
        'about:srcdoc#',
      );
      for (const place of places) await show(document(place, [way]));
      expect(listener.seen).toEqual([]);
    },
  );

  it('cannot reach anything under other names for this machine or the metadata server', async () => {
    for (const place of [...hosts(listener.port), ...METADATA]) await show(document(place));
    for (const scheme of ['https', 'ws', 'ftp', '//']) await show(document(`${scheme}://trifold.example/`));
    expect(listener.seen).toEqual([]);
  });

  it('cannot reach anything from a header or a footer', async () => {
    for (const place of [`http://127.0.0.1:${listener.port}/`, `file://${folder}/`]) {
      const content = document(place, Object.values(WAYS)).replace('quiet', 'band {{page}}');
      const header = { enabled: true, height: '1in', content };
      const pdf = await renderDocument(page, {
        html: '<h2>quiet</h2>',
        css: `@import "${place}a"; p { background: url(${place}b) }`,
        options: { header, footer: header },
      });
      const { pages } = await readPdf(pdf);
      expect(pages[0]?.text).toMatch(/quiet/);
      expect(pages[0]?.text).not.toMatch(/content of a file|from the network/);
    }
    expect(listener.seen).toEqual([]);
  });

  it('makes no DNS lookup or connection in any of these tests', async () => {
    journal = await watched.stop();
    expect(journal).toEqual([]);
    expect(listener.seen).toEqual([]);
  });
});
