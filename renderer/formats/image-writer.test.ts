import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { printingOf } from '../task/print-settings.ts';
import { TemplateMerger } from '../merge/template-merger.ts';
import { imageHeader } from '../images/image-header.ts';
import { readPng } from '../testing/files/read-png.ts';
import { contrastOf, leastInk } from '../testing/files/watermark-ink.ts';
import { picturePool } from '../testing/browser/test-browser.ts';
import type { DocumentToWrite, WritingTurn } from './format-writer.ts';
import { ImageWriter } from './image-writer.ts';

type Template = string | { readonly html: string; readonly css?: string; readonly data?: object };

const WHITE = [255, 255, 255];
const RED = [255, 0, 0];
const ALL_COVERED = { uncovered: () => Promise.resolve([]) };
const NO_MARGINS = { top: '0in', right: '0in', bottom: '0in', left: '0in' };
const SMALL: RenderOptions = { pageSize: 'custom', width: '300px', height: '200px', margins: NO_MARGINS };

/** Minimum contrast of the watermark, as a fraction. */
const VISIBLE = 0.07;

const browsers = picturePool();
const writer = new ImageWriter('png', browsers, ALL_COVERED);

const turn = (signal = new AbortController().signal): WritingTurn => ({
  signal,
  waiting: () => undefined,
  working: () => undefined,
  warnings: [],
});
const documentOf = (template: Template, options: RenderOptions, mode: 'live' | 'test'): DocumentToWrite => {
  const { data = {}, ...source } = typeof template === 'string' ? { html: template } : template;
  const document = {
    account: 'acme',
    printing: printingOf(options),
    features: { mode, createdAt: new Date('2026-11-20T01:02:03.456Z') },
  };
  const merged = new TemplateMerger().merge({
    revisionKey: 'revision',
    source,
    extras: { ...document.printing.extras, ...writer.mergeExtras(document) },
    data: Buffer.from(JSON.stringify(data)),
    maxBytes: 2 ** 20,
  });
  if (merged.status !== 'merged') throw new Error(JSON.stringify(merged));
  return { ...merged, ...document };
};
const write = async (html: Template, options: RenderOptions = SMALL, mode: 'live' | 'test' = 'live') =>
  writer.write(documentOf(html, options, mode), turn());
const draw = async (html: Template, options: RenderOptions = SMALL, mode: 'live' | 'test' = 'live') =>
  readPng((await write(html, options, mode)).body);

describe('a PNG image', () => {
  it.each([
    ['letter', {}, 816, 1056],
    ['A4', { pageSize: 'a4' }, 794, 1123],
    ['legal, landscape', { pageSize: 'legal', orientation: 'landscape' }, 1344, 816],
    ['a custom page', SMALL, 300, 200],
    ['a device scale of 2', { ...SMALL, deviceScale: 2 }, 600, 400],
    ['a scale of 0.5', { ...SMALL, scale: 0.5 }, 300, 200],
  ] as const)('has the size of the page at 96 pixels per inch: %s', async (_name, options, width, height) => {
    expect(await draw('<p>x</p>', options)).toMatchObject({ width, height });
  });

  it('grows with content taller than the page, unless the request asks for only the first page', async () => {
    const html = '<body style="margin:0"><div style="height:550px;background:red"></div>';
    const whole = await draw(html);
    expect(whole).toMatchObject({ width: 300, height: 550 });
    expect(whole.at(150, 549)).toEqual(RED);
    expect(await draw(html, { ...SMALL, fullPage: false })).toMatchObject({ width: 300, height: 200 });
  });

  it('uses the page layout regardless of the captured height', async () => {
    const html =
      '<body style="margin:0"><div style="height:100vh;background:red"></div><div style="height:100px">x</div>';
    const whole = await draw(html);
    expect(whole.height).toBe(300);
    expect([whole.at(5, 199), whole.at(150, 220)]).toEqual([RED, WHITE]);
  });

  it('keeps absolute and fixed elements out of the margins', async () => {
    const box = (css: string) => `<div style="${css};width:10px;height:10px;background:red"></div>`;
    const html = `<body style="margin:0">${box('position:static')}${box('position:absolute;right:0;top:0')}${box('position:fixed;right:0;bottom:0')}`;
    const margins = { top: '20px', right: '30px', bottom: '40px', left: '50px' };
    const picture = await draw(html, { ...SMALL, margins });
    expect([picture.at(49, 25), picture.at(51, 19), picture.at(270, 25), picture.at(265, 160)]).toEqual([
      WHITE,
      WHITE,
      WHITE,
      WHITE,
    ]);
    expect([picture.at(51, 21), picture.at(269, 21), picture.at(269, 159)]).toEqual([RED, RED, RED]);
  });

  it.each<[string, Template]>([
    ['own', { html: '<head><style>RULE</style></head><body>' }],
    ['css', { html: '<head></head><body>', css: 'RULE' }],
    ['body', { html: '<head></head><body><style>RULE</style>' }],
    ['data', { html: '<html>{{{all}}}', data: { all: '<head><style>RULE</style></head><body>' } }],
    ['from data', { html: '<head>{{{head}}}</head>', data: { head: '<style>RULE</style></head><body>' } }],
    ['optional head', { html: '{{#if x}}<head></head>{{/if}}<body><style>RULE</style>' }],
  ])('keeps its margins under any style of the document: %s', async (_name, template) => {
    const rule = ':root:root{margin:0!important;border:0!important}body{margin:0;background:red}';
    const written = JSON.parse(JSON.stringify(template).replaceAll('RULE', rule)) as Template;
    const content = '<div style="width:10px;height:10px;background:#00f"></div>';
    const source = typeof written === 'string' ? { html: written } : written;
    const margins = { top: '20px', right: '30px', bottom: '40px', left: '50px' };
    const picture = await draw({ ...source, html: source.html + content }, { ...SMALL, margins });
    const BLUE = [0, 0, 255];
    expect([picture.at(49, 25), picture.at(51, 21), picture.at(51, 19)]).toEqual([RED, BLUE, RED]);
  });

  it('uses the print styles', async () => {
    const html = '<style>body{background:#00f}@media print{body{background:red}}</style>x';
    expect((await draw(html)).at(290, 190)).toEqual(RED);
  });

  it('shows images, fonts and SVG that the document contains', async () => {
    const svg =
      "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='99' height='99' fill='red'/></svg>";
    const html = `<body style="margin:0"><img src="${svg.replaceAll('<', '%3c')}" width="50" height="50">`;
    expect((await draw(html)).at(25, 25)).toEqual(RED);
  });

  it('is rejected before the capture if it would have too many pixels', async () => {
    const tall = '<div style="height:400000px">x</div>';
    await expect(write(tall)).rejects.toMatchObject({
      code: 'output_too_large',
      retryable: false,
      message: expect.stringMatching(
        /^the image would have 300 × 400\d{3} pixels; the limits are .*: use a smaller device_scale/,
      ) as string,
    });
    const large = { ...SMALL, width: '100in', height: '100in', deviceScale: 3 };
    await expect(write('x', large)).rejects.toMatchObject({ code: 'output_too_large' });
    expect((await draw('<body style="background:red">')).at(1, 1)).toEqual(RED);
  });

  it('shows no trace of the previous document', async () => {
    await draw('<style>*{background:red!important}</style><body style="height:900px">');
    const next = await draw('<p></p>');
    expect(next).toMatchObject({ width: 300, height: 200 });
    expect(next.at(150, 100)).toEqual(WHITE);
  });
});

describe('a PNG image created with a test key', () => {
  /** The opacity of TEST is 0.16. On every color, either its black or its white part differs by half that. */
  const both = async (html: Template, options?: RenderOptions) =>
    [await draw(html, options), await draw(html, options, 'test')] as const;

  it.each([
    ['plain', '<p>x</p>'],
    ['without visible content', '<style>*{display:none!important}</style>'],
    [
      'with css that hides, inverts and covers everything',
      `<style>*,*::before,*::after{visibility:hidden!important;opacity:0!important;content:none!important}
        html{filter:invert(1)!important;mix-blend-mode:difference;background:#000!important;clip-path:circle(0)}
        img,svg{display:none!important}</style><div style="position:fixed;inset:0;z-index:2147483647;background:#fff"></div>`,
    ],
    [
      'with a policy that forbids images and styles',
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'none'"><p>x</p>`,
    ],
    ['with unclosed elements', '<p>x</p><!-- <style> <svg> <textarea>'],
  ])('carries the watermark in every 200-pixel square: %s', async (_name, html) => {
    const [live, test] = await both(html);
    expect(leastInk(test, live, 200)).toBeGreaterThan(VISIBLE);
    expect(test).toMatchObject({ width: live.width, height: live.height });
  });

  it.each(['white', 'black', 'gray', 'red', 'lime', 'blue', 'rgb(200 120 60)'])(
    'has a contrast between 15 and 20 percent on %s',
    async (colour) => {
      for (const contrast of contrastOf(await draw(`<body style="background:${colour}">`, SMALL, 'test'))) {
        expect(contrast).toBeGreaterThanOrEqual(0.15);
        expect(contrast).toBeLessThanOrEqual(0.2);
      }
    },
  );

  it('equals the image without a watermark outside the words', async () => {
    const html = '<body style="background:linear-gradient(#eef,#fee)"><p>Text</p>';
    for (const options of [SMALL, { ...SMALL, deviceScale: 2 }, { ...SMALL, deviceScale: 1.5 }]) {
      const [live, test] = await both(html, options);
      let same = 0;
      for (let x = 0; x < live.width; x += 1) same += Number(test.at(x, 25).join() === live.at(x, 25).join());
      expect(same).toBeGreaterThan(live.width / 2);
    }
  });

  it.each([
    ['200in by 1in', { width: '200in', height: '1in' }, 96],
    ['40in by 1in, with a scale of 0.5', { width: '40in', height: '1in', scale: 0.5 }, 96],
    ['10in by 5in, with scales of 2', { width: '10in', height: '5in', deviceScale: 2, scale: 2 }, 400],
    ['3in by 4in, with a device scale of 3', { width: '3in', height: '4in', deviceScale: 3 }, 600],
    ['100px by 60px', { width: '100px', height: '60px' }, 60],
  ] as const)('carries the watermark everywhere in an image of %s', async (_name, options, side) => {
    const turned = '<div style="transform:rotate(90deg) scale(.5)">Text</div>';
    const [live, test] = await both(turned, { ...SMALL, ...options, fullPage: false });
    expect(leastInk(test, live, side)).toBeGreaterThan(VISIBLE);
  });

  it('carries the watermark everywhere in an image that is taller than its page', async () => {
    const [live, test] = await both('<div style="height:10in">x</div>');
    expect(test.height).toBeGreaterThan(950);
    expect(leastInk(test, live, 200)).toBeGreaterThan(VISIBLE);
  });
});

describe.each(['jpeg', 'webp'] as const)('an image in %s', (format) => {
  const encode = async (html: string, options: RenderOptions = {}, mode: 'live' | 'test' = 'live') => {
    const document = documentOf(html, { ...SMALL, ...options }, mode);
    return (await new ImageWriter(format, browsers, ALL_COVERED).write(document, turn())).body;
  };
  const shown = (file: Buffer) =>
    draw(
      `<body style="margin:0"><img style="display:block" src="data:image/${format};base64,${file.toString('base64')}">`,
    );
  const noise = '<p style="background:repeating-linear-gradient(37deg,red 0 3px,blue 3px 7px);height:150px">';

  it("has the right type and the page's size", async () => {
    const type = { jpeg: 'jpg', webp: 'webp' }[format];
    const image = await encode('<p>x</p>', { deviceScale: 2 });
    expect(imageHeader(image)).toEqual({ type, width: 600, height: 400 });
  });

  it('is smaller with a lower quality, which is 90 by default', async () => {
    const [low, high] = [await encode(noise, { quality: 10 }), await encode(noise, { quality: 90 })];
    expect(low.length).toBeLessThan(high.length / 2);
    expect(await encode(noise)).toEqual(high);
  });

  it('carries the watermark', async () => {
    const [live, test] = [await encode('<p>x</p>'), await encode('<p>x</p>', {}, 'test')];
    expect(leastInk(await shown(test), await shown(live), 200)).toBeGreaterThan(VISIBLE);
  });
});

it("rejects a WebP whose side exceeds the format's limit", async () => {
  const tall = documentOf('<div style="height:17000px">', SMALL, 'live');
  const writing = new ImageWriter('webp', browsers, ALL_COVERED).write(tall, turn());
  await expect(writing).rejects.toThrow('the limits are 16383 per side');
});
