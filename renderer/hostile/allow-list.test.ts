import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { parseAddressRange } from '@trifold/platform/settings/address-range.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage } from '../testing/browser/test-browser.ts';
import { PrintError } from '../browser/page/print-error.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { parseAllowedHost } from '@trifold/platform/settings/setting-forms.ts';
import {
  allowedResources,
  DEFAULT_RESOURCE_LIMITS,
  type ResourceLimits,
} from '../network/allowed-resources.ts';
import { fontFile } from '../testing/files/font-file.ts';
import { emptyPng } from '../testing/hostile-documents.ts';
import { LoopbackListener } from '../testing/browser/loopback-listener.ts';
import { launchWatchedBrowser, type WatchedBrowser } from '../testing/browser/network-journal.ts';
import { noisePng } from '../testing/files/png.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const PHOTO = Buffer.from(emptyPng(7000), 'base64');
const PICTURE = Buffer.from(noisePng(40), 'base64');

let server: Server;
let port: number;
let font: Buffer;
let elsewhere: LoopbackListener;
let watched: WatchedBrowser;
/** Requests to the allowed host: path, and headers that identify the client. */
let asked: string[] = [];
/** Host names, each with the results of consecutive resolutions. */
const names = new Map<string, string[][]>();
const resolved: string[] = [];
const resolver = {
  resolve: async (name: string) => {
    resolved.push(name);
    const responses = names.get(name);
    const next = responses && responses.length > 1 ? responses.shift() : responses?.[0];
    if (!next) throw new Error('no such name');
    return next;
  },
};

const FILES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/logo.png': (_, response) => response.setHeader('content-type', 'image/png').end(PICTURE),
  '/photo.png': (_, response) => response.setHeader('content-type', 'image/png').end(PHOTO),
  '/style.css': (_, response) =>
    response
      .setHeader('content-type', 'text/css')
      .end(`p { background: url(logo.png) no-repeat; height: 60px }`),
  '/fonts.css': (_, response) =>
    response
      .setHeader('content-type', 'text/css')
      .end('@font-face { font-family: Own; src: url(font.ttf) } p { font-family: Own }'),
  '/font.ttf': (_, response) => response.setHeader('content-type', 'font/ttf').end(font),
  '/cached.png': (_, response) => {
    response.setHeader('cache-control', 'public, max-age=86400, immutable').setHeader('etag', '"1"');
    response.setHeader('content-type', 'image/png').end(PICTURE);
  },
  '/cookie': (_, response) =>
    response.setHeader('set-cookie', 'known=1').setHeader('content-type', 'image/png').end(PICTURE),
  '/endless': (_, response) => {
    response.setHeader('content-type', 'image/png');
    const more = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
    response.on('close', () => clearInterval(more));
  },
  '/slow': (_, response) => {
    response.setHeader('content-type', 'image/png');
    const more = setInterval(() => response.write('more'), 100);
    response.on('close', () => clearInterval(more));
  },
  '/silent': () => undefined,
  '/zipped': (_, response) => response.setHeader('content-encoding', 'gzip').end('x'),
  '/missing': (_, response) => response.writeHead(404).end(),
  '/page.html': (_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>from the network</h1>'),
};

beforeAll(async () => {
  font = await fontFile();
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const { cookie, referer, authorization, origin } = request.headers;
    asked.push([request.method, pathname, cookie, referer, authorization, origin].filter(Boolean).join(' '));
    const to = searchParams.get('to');
    if (pathname === '/redirect') response.writeHead(302, { location: to ?? '' }).end();
    else FILES[pathname]?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  elsewhere = await LoopbackListener.start();
  watched = await launchWatchedBrowser();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await elsewhere.stop();
});
beforeEach(() => {
  asked = [];
  resolved.length = 0;
  names.clear();
  names.set('cdn.example', [['127.0.0.1']]);
});

const open = async (limits: Partial<ResourceLimits> = {}) => {
  const hosts = ['cdn.example', 'other.example', 'inner.example'].map((name) =>
    parseAllowedHost(`${name}:${port}`),
  );
  hosts.push(parseAllowedHost(`inner.example:${elsewhere.port}`));
  const resources = allowedResources({
    hosts,
    // This loopback address represents the external network.
    addresses: [parseAddressRange('127.0.0.1')],
    resolver,
    clock: systemClock,
    logger: createLogger({ level: 'silent', name: 'test' }),
    limits: { ...DEFAULT_RESOURCE_LIMITS, ...limits },
  });
  return openPage(watched.browser, { scripts: false, resources });
};
const url = (path: string, host = 'cdn.example') => `http://${host}:${port}${path}`;
const print = async (html: string, limits?: Partial<ResourceLimits>) => {
  const page = await open(limits);
  const file = await page.print(`<!doctype html><body><h2>shown</h2>${html}`, WARM_UP_SETTINGS);
  const blocked = page.blocked.map(({ message, name }) => `${name} ${message.replace(/^.*?: /, '')}`);
  await page.close();
  const pdf = await readPdf(file);
  expect(pdf.pages[0]?.text).toMatch(/^shown/);
  return {
    file,
    blocked,
    images: pdf.pages.reduce((sum, { images }) => sum + images, 0),
    text: pdf.pages[0]?.text,
  };
};
// Without alternative text, a missing image would also be drawn as an image.
const image = (source: string) => `<img alt="" src="${source}">`;

describe('a renderer with an allow-list', () => {
  it('loads images, styles and fonts from the allowed hosts', async () => {
    const { images, file } = await print(
      `<link rel="stylesheet" href="${url('/style.css')}"><style>@import url(${url('/fonts.css')})</style>
       ${image(url('/logo.png'))}<p>x</p>`,
    );
    expect(images).toBe(2);
    expect(file.toString('latin1')).toContain('OpenSans-Bold');
    expect(asked.toSorted()).toEqual(
      ['GET /font.ttf', 'GET /fonts.css', 'GET /logo.png', 'GET /style.css'].toSorted(),
    );
  });

  it('names the resources that it did not load, and why', async () => {
    const notAllowed = 'its host is not allowed. Embed the resource, or ask an operator to allow the host.';
    const failed = 'the request failed, took too long or exceeded a limit.';
    const html = [
      url('/logo.png'),
      url('/missing'),
      url('/endless'),
      url('/silent'),
      url('/redirect?to=http%3A%2F%2Fevil.example'),
      url('/logo.png', 'evil.example'),
    ];
    const { blocked } = await print(html.map(image).join(''), { timeoutMs: 500 });
    expect(blocked.toSorted()).toEqual(
      [
        `${url('/missing')} ${failed}`,
        `${url('/endless')} ${failed}`,
        `${url('/silent')} ${failed}`,
        `${url('/redirect')}?… ${notAllowed}`,
        `${url('/logo.png', 'evil.example')} ${notAllowed}`,
      ].toSorted(),
    );
  });

  it('fails a document if its embedded and loaded images have too many pixels in total', async () => {
    const page = await open();
    const html = ['/photo.png?a', '/photo.png?b'].map((path) => image(url(path))).join('');
    const failure = page.print(html, WARM_UP_SETTINGS, 110_000_000);
    await expect(failure).rejects.toMatchObject({
      code: 'image_too_large',
      retryable: false,
      message: expect.stringMatching(
        /^with an image from cdn\.example:\d+ \(png, 7000 × 7000 pixels\), .* 208 megapixels, more than the limit of 200/,
      ) as string,
    });
    const again = await open();
    await again.print(html, WARM_UP_SETTINGS, 100_000_000);
    expect(again.blocked).toEqual([]);
  });

  it('does not load from other hosts, other ports, aliases of the allowed host, or files', async () => {
    const near = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `cdn.example.:${port}`,
      `cdn.example`,
      'cdn.example:443',
    ];
    near.push(`cdn.example@127.0.0.1:${port}`, `x:y@cdn.example:${port}`, `evil.cdn.example:${port}`);
    const sources = near.map((host) => `http://${host}/logo.png`);
    sources.push(`http://127.0.0.1:${elsewhere.port}/`, 'http://169.254.169.254/', 'file:///etc/passwd');
    sources.push(`ws://cdn.example:${port}/`, `https://cdn.example:${port}/logo.png`);
    expect(await print(sources.map(image).join(''))).toMatchObject({ images: 0 });
    expect([asked, elsewhere.seen]).toEqual([[], []]);
  });

  it('follows a limited number of redirects, only to allowed hosts', async () => {
    const redirect = (to: string) => image(url(`/redirect?to=${encodeURIComponent(to)}`));
    expect(await print(redirect(url('/logo.png')))).toMatchObject({ images: 1 });
    for (const to of [
      `http://127.0.0.1:${elsewhere.port}/`,
      `http://127.0.0.1:${port}/logo.png`,
      `//evil.example:${port}/logo.png`,
      'file:///etc/passwd',
      'http://169.254.169.254/latest/meta-data/',
      'data:image/png;base64,x',
    ]) {
      expect(await print(redirect(to))).toMatchObject({ images: 0 });
    }
    expect(elsewhere.seen).toEqual([]);
    asked = [];
    let chain = url('/logo.png');
    for (let hop = 0; hop < 4; hop += 1) chain = url(`/redirect?to=${encodeURIComponent(chain)}`);
    expect(await print(image(chain))).toMatchObject({ images: 0 });
    expect(asked).toEqual(Array.from({ length: 4 }, () => 'GET /redirect'));
  });

  it.each([
    '127.0.0.2',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
  ])('loads from an allowed name only if its address is also allowed: %s', async (address) => {
    names.set('inner.example', [[address]]);
    // The IPv4-mapped form of the allowed address.
    const expected = address === '::ffff:127.0.0.1' ? 1 : 0;
    expect(await print(image(url('/logo.png', 'inner.example')))).toMatchObject({ images: expected });
    expect(asked).toHaveLength(expected);
  });

  it('resolves and checks a name for each request', async () => {
    names.set('other.example', [['127.0.0.1'], ['127.0.0.2']]);
    const first = url('/logo.png?1', 'other.example');
    // Each request resolves the name once and connects to the address that was checked.
    expect(await print(image(first))).toMatchObject({ images: 1 });
    expect(resolved).toEqual(['other.example']);
    expect(await print(image(first))).toMatchObject({ images: 0 });
    expect(resolved).toEqual(['other.example', 'other.example']);
    expect(asked).toEqual(['GET /logo.png']);
  });

  it('does not follow a redirect to a disallowed address', async () => {
    const inner = `http://inner.example:${elsewhere.port}/logo.png`;
    const redirect = (host: string) => image(url(`/redirect?to=${encodeURIComponent(inner)}`, host));
    for (const address of ['127.0.0.2', '::1', '::ffff:127.0.0.2']) {
      names.set('inner.example', [[address]]);
      expect(await print(redirect('cdn.example'))).toMatchObject({ images: 0 });
    }
    // This also applies when the name resolved to an allowed address before the redirect.
    names.set('inner.example', [['127.0.0.1'], ['127.0.0.2']]);
    expect(await print(redirect('inner.example'))).toMatchObject({ images: 0 });
    expect(asked).toEqual(Array.from({ length: 4 }, () => 'GET /redirect'));
    expect(elsewhere.seen).toEqual([]);
  });

  it('does not send document data or cookies to a host', async () => {
    await print(image(url('/cookie')) + image(url('/cookie?again')));
    await print(
      `<form method="post" action="${url('/post')}"></form><a ping="${url('/ping')}" href="#">x</a>`,
    );
    expect(asked).toEqual(['GET /cookie', 'GET /cookie']);
  });

  it('does not load frames, videos or other subresources', async () => {
    const page = url('/page.html');
    const { text } = await print(
      `<iframe src="${page}"></iframe><object data="${page}"></object><embed src="${page}"><video src="${page}"></video>
       <link rel="prefetch" href="${page}"><link rel="preload" as="fetch" href="${page}">`,
    );
    expect(text).toBe('shown');
    expect(asked).toEqual([]);
  });

  it.each([
    ['is too large', '/endless', { resourceBytes: 200_000 }],
    ['takes too long', '/silent', { timeoutMs: 3000 }],
    ['arrives too slowly', '/slow', { timeoutMs: 3000 }],
    ['is compressed', '/zipped', {}],
    ['is missing', '/missing', {}],
  ])('omits a resource that %s and prints the document', async (_, path, limits) => {
    expect(await print(image(url(path)) + image(url('/logo.png')), limits)).toMatchObject({ images: 1 });
  });

  it("limits a document's requests and bytes", async () => {
    const many = Array.from({ length: 9 }, (_, index) => image(url(`/logo.png?${index}`))).join('');
    expect(await print(many, { requests: 5 })).toMatchObject({ images: 5 });
    expect((await print(many, { documentBytes: PICTURE.length * 3 })).images).toBeLessThanOrEqual(3);
    expect(await print(many)).toMatchObject({ images: 9 });
  });

  it('cancels open requests when the document ends', async () => {
    const page = await open();
    const printing = page.print(image(url('/silent')), WARM_UP_SETTINGS);
    const failed = expect(printing).rejects.toMatchObject({ code: 'aborted' });
    await eventually(() => expect(asked).toEqual(['GET /silent']));
    page.abort(PrintError.aborted());
    await failed;
    await eventually(async () =>
      expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0),
    );
  });

  it('opens no connection from the browser itself in any of these tests', async () => {
    expect(await watched.stop()).toEqual([]);
  });
});

it.each([
  // One account's documents may share images if none of them can measure time.
  ['off', ['acme', 'globex', 'initech']],
  ['on', ['acme', 'globex', 'acme', 'acme', 'initech']],
] as const)(
  'with scripts %s, a document requests each resource again, so that timing reveals nothing',
  async (templateScripts, accounts) => {
    const fixture = await RendererFixture.start({
      browsers: 1,
      templateScripts,
      allowHosts: [parseAllowedHost(`127.0.0.1:${port}`)],
      allowAddresses: [parseAddressRange('127.0.0.1')],
    });
    for (const account of accounts) {
      const html = `${image(url('/cached.png', '127.0.0.1'))}<p>x</p>`;
      expect((await fixture.read({ html }, { account })).pages[0]?.images).toBe(1);
    }
    expect(asked).toEqual(accounts.map(() => 'GET /cached.png'));
    await fixture.close();
  },
);
