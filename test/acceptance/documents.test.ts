import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { expectError, type GenerationAnswer } from '../support/api.ts';
import { readPdf, textOf, type PdfPage } from '../support/files/pdf.ts';
import { live } from './service-under-test.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);
/** Tolerance in points (1/72 inch), because Chromium rounds paper to its own pixels. */
const CLOSE = 1.5;

const near = (expected: number) => ({
  asymmetricMatch: (actual: unknown) => Math.abs((actual as number) - expected) <= CLOSE,
  toString: () => `within ${CLOSE} of ${expected}`,
  toAsymmetricMatcher: () => `within ${CLOSE} of ${expected}`,
});

async function pagesOf(
  template: Record<string, unknown>,
  request: { data?: Record<string, unknown>; options?: Record<string, unknown> } = {},
): Promise<PdfPage[]> {
  const { id } = await live.createTemplate(template);
  const { data = {}, options } = request;
  return readPdf(await live.document(id, data, options ? { options } : {}));
}

describe('Page size and orientation', () => {
  const SIZES = {
    letter: [612, 792],
    a4: [595.28, 841.89],
    legal: [612, 1008],
  } as const;
  const HTML = { html: '<p>size</p>' };

  it.each(Object.entries(SIZES))(
    '%s is %j points in portrait and swapped in landscape',
    async (page_size, size) => {
      const [width, height] = size;
      const [portrait] = await pagesOf(HTML, { options: { page_size } });
      expect(portrait).toMatchObject({ width: near(width), height: near(height) });
      const [explicit] = await pagesOf(HTML, { options: { page_size, orientation: 'portrait' } });
      expect(explicit).toMatchObject({ width: near(width), height: near(height) });
      const [landscape] = await pagesOf(HTML, { options: { page_size, orientation: 'landscape' } });
      expect(landscape).toMatchObject({ width: near(height), height: near(width) });
    },
  );

  it('default to letter and portrait', async () => {
    expect((await pagesOf(HTML))[0]).toMatchObject({ width: near(612), height: near(792) });
  });

  it('come from the request options first and then from the default_options of the template', async () => {
    const template = { ...HTML, default_options: { page_size: 'a4', orientation: 'landscape' } };
    expect((await pagesOf(template))[0]).toMatchObject({ width: near(841.89), height: near(595.28) });
    const [upright] = await pagesOf(template, { options: { orientation: 'portrait' } });
    expect(upright).toMatchObject({ width: near(595.28), height: near(841.89) });
    const [legal] = await pagesOf(template, { options: { page_size: 'legal' } });
    expect(legal).toMatchObject({ width: near(1008), height: near(612) });
  });
});

describe('Margins', () => {
  const BOX = {
    html: '<b id="tl">TL</b><b id="tr">TR</b><b id="bl">BL</b>',
    css: `body { margin: 0 } b { position: fixed; font: 20px/20px sans-serif }
      #tl { top: 0; left: 0 } #tr { top: 0; right: 0 } #bl { bottom: 0; left: 0 }`,
  };
  const INK_ABOVE_BASELINE = 20 * 0.75;

  /** Distance of the content box from each edge of the page, in points. */
  async function edges(margins?: unknown, defaults?: unknown) {
    const [page] = await pagesOf(
      { ...BOX, ...(defaults !== undefined && { default_options: { margins: defaults } }) },
      margins === undefined ? {} : { options: { margins } },
    );
    const find = (text: string) => {
      const found = page!.texts.find((run) => run.text === text);
      if (!found) throw new Error(`${text} is not on the page: ${page!.text}`);
      return found;
    };
    return {
      left: find('TL').left,
      right: page!.width - find('TR').right,
      // The baseline is slightly above the bottom of the line.
      top: find('TL').baseline,
      bottom: page!.height - find('BL').baseline,
    };
  }
  const shift = (top: number, right: number, bottom: number, left: number) => ({ top, right, bottom, left });

  it.each(['1in', '25.4mm', '96px'])(
    'of %s on all sides place the text 72 points from the edges',
    async (margins) => {
      const none = await edges('0in');
      expect(none).toMatchObject({ left: near(0), right: near(0) });
      expect(none.top).toBeLessThan(INK_ABOVE_BASELINE + CLOSE);
      expect(await edges(margins)).toMatchObject(
        shift(
          near(none.top + 72) as never,
          near(72) as never,
          near(none.bottom + 72) as never,
          near(72) as never,
        ),
      );
    },
  );

  it('can differ for each side, each with its own unit', async () => {
    const none = await edges('0mm');
    const each = await edges({ top: '2in', right: '10mm', bottom: '48px', left: '0.5in' });
    expect(each).toMatchObject(
      shift(
        near(none.top + 144) as never,
        near(28.35) as never,
        near(none.bottom + 36) as never,
        near(36) as never,
      ),
    );
  });

  it('default to 0.4in, also for an omitted side', async () => {
    expect(await edges()).toMatchObject({ left: near(28.8), right: near(28.8) });
    expect(await edges({ left: '1in' })).toMatchObject({ left: near(72), right: near(28.8) });
  });

  it('combine for each side from the request, the template and the default', async () => {
    expect(await edges({ left: '2in' }, { left: '1in', right: '1in' })).toMatchObject({
      left: near(144),
      right: near(72),
    });
  });

  it('that leave no space for content return a clear error', async () => {
    const { id } = await live.createTemplate({ html: '<p>room</p>' });
    const answer = await live.post('/v1/generate', {
      template_id: id,
      data: {},
      options: { margins: '10in' },
    });
    if (answer.status === 200)
      expect(answer.json()).toMatchObject({ status: 'failed', error: expect.any(Object) });
    else expectError(answer, [400, 422]);
  });
});

describe('print_background', () => {
  const COLOURED = {
    html: '<div>background</div>',
    css: 'div { background: rgb(18, 200, 86); color: rgb(200, 18, 18) }',
  };

  it('defaults to true and omits the background if it is false', async () => {
    const colors = async (options?: Record<string, unknown>) =>
      (await pagesOf(COLOURED, options ? { options } : {}))[0]!.fillColors;
    expect(await colors()).toContain('#12c856');
    expect(await colors({ print_background: true })).toContain('#12c856');
    const without = await colors({ print_background: false });
    expect(without).not.toContain('#12c856');
    expect(without).not.toEqual([]);
  });
});

describe('A template', () => {
  it('applies its css', async () => {
    const [page] = await pagesOf({ html: '<p>big</p>', css: 'p { font-size: 40px }' });
    expect(page!.texts[0]!.size).toBeCloseTo(30, 0);
  });

  it('merges loops, conditions, lookups and nested members', async () => {
    const html = `{{#each lines}}<p>{{@index}}:{{name}}{{#if sold}} sold{{else}} open{{/if}}</p>{{/each}}
      {{#unless lines}}none{{/unless}}<p>{{customer.address.city}} {{lookup map key}}{{missing}}</p>`;
    const data = {
      lines: [{ name: 'a', sold: true }, { name: 'b' }],
      customer: { address: { city: 'Köln' } },
      map: { k: 'found' },
      key: 'k',
    };
    const [page] = await pagesOf({ html }, { data });
    expect(page!.text).toBe('0:a sold 1:b open Köln found');
  });

  it('escapes data in double braces as text', async () => {
    const name = `<b>"bold" & 'brave'</b><script>document.body.innerHTML='SCRIPTED'</script>`;
    expect((await pagesOf({ html: '<p>{{name}}</p>' }, { data: { name } }))[0]!.text).toBe(name);
  });

  it('supports text in any language', async () => {
    const name = 'Zażółć gęślą jaźń — Straße — Ελληνικά — Кириллица — €';
    expect((await pagesOf({ html: '<p>{{name}}</p>' }, { data: { name } }))[0]!.text).toBe(name);
  });

  it('cannot run scripts', async () => {
    const html = `<p id="p">plain</p><script>document.getElementById('p').textContent = 'SCRIPTED'</script>
      <img src="data:image/gif;base64,x" onerror="document.getElementById('p').textContent = 'ONERROR'">`;
    expect((await pagesOf({ html }))[0]!.text).toBe('plain');
  });

  it('can contain a data: image', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxAADCBYDAwAOAgEEfFKhHgAAAABJRU5ErkJggg==';
    const html = `<p>image</p><img width="50" height="50" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9' fill='%230a0bff'/%3E%3C/svg%3E">
      <img width="50" height="50" src="data:image/png;base64,${png}">`;
    const [page] = await pagesOf({ html });
    expect(page!.images + page!.fillColors.filter((color) => color === '#0a0bff').length).toBeGreaterThan(0);
  });

  it('cannot reach the network or files of the machine', async () => {
    const hits: string[] = [];
    const server = createServer((request, response) => {
      hits.push(request.url ?? '');
      response.end('reached');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const at = (path: string) => `http://127.0.0.1:${port}/${path}`;
      const html = `<p>quiet</p><img src="${at('img')}"><link rel="stylesheet" href="${at('css')}">
        <iframe src="${at('frame')}"></iframe><iframe src="file:///etc/passwd"></iframe>
        <object data="file:///etc/hostname"></object><meta http-equiv="refresh" content="0;url=${at('refresh')}">
        <style>@import url(${at('import')}); @font-face { font-family: f; src: url(${at('font')}) } p { font-family: f }</style>`;
      const text = (await pagesOf({ html })).map((page) => page.text).join(' ');
      expect(text).toContain('quiet');
      expect(text).not.toMatch(/root:|reached/);
      expect(hits).toEqual([]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('does not leak into the next document', async () => {
    const marked = await live.createTemplate({
      html: '<p class="x">first</p><title>First title</title>',
      css: '.x { color: rgb(1, 2, 250); margin-left: 3in } @page { size: 3in 3in }',
    });
    const plain = await live.createTemplate({ html: '<p class="x">second</p>' });
    for (let round = 0; round < 4; round += 1) {
      await live.document(marked.id);
      const [page] = await readPdf(await live.document(plain.id));
      expect(page).toMatchObject({ width: near(612), height: near(792), text: 'second' });
      expect(page!.texts[0]!.left).toBeLessThan(72);
    }
  });

  it('that looks up inaccessible data fails only its own document, with a code and a message', async () => {
    const { id } = await live.createTemplate({
      html: '{{#with a}}{{#with b}}{{lookup this "c"}}{{/with}}{{/with}}',
    });
    await live.generate(id, { a: { b: { c: 'x' } } });
    await live.generate(id, {});
    await live.generate(id, { a: null });
    await live.generate(id, { a: { b: 7 } });
  });

  it('cannot reach the prototypes of data', async () => {
    const html = '<p>[{{constructor.name}}{{__proto__.x}}{{a.constructor.name}}{{lookup a "__proto__"}}]</p>';
    expect((await pagesOf({ html }, { data: { a: {} } }))[0]!.text).toBe('[]');
  });
});

describe('Example invoice', () => {
  it('has two A4 pages that show its numbers', async () => {
    const { spec } = parse(await readFile(new URL('invoice.yaml', EXAMPLES), 'utf8')) as {
      spec: { displayName: string; html: string; css: string; schema: unknown };
    };
    const data = JSON.parse(await readFile(new URL('invoice/data.json', EXAMPLES), 'utf8')) as Record<
      string,
      unknown
    >;
    const pages = await pagesOf(
      {
        name: spec.displayName,
        html: spec.html,
        css: spec.css,
        schema: spec.schema,
        default_options: {
          page_size: 'a4',
          margins: { top: '16mm', right: '14mm', bottom: '16mm', left: '14mm' },
        },
      },
      { data },
    );
    expect(pages).toHaveLength(2);
    for (const page of pages) expect(page).toMatchObject({ width: near(595.28), height: near(841.89) });
    const [first, second] = pages as [PdfPage, PdfPage];
    expect(first.text).toContain('INV-2026-0042');
    expect(first.text).toContain('Łódzka Drukarnia „Żuraw” sp. z o.o.');
    expect(second.text).toContain(String(data['total']));
    // The table header is repeated on every page.
    for (const page of pages) expect(page.text).toMatch(/description/i);
  });
});

describe('A failed document', () => {
  it('returns 200 failed, or 422 to a request for the file, and its download states the reason', async () => {
    const { id } = await live.createTemplate({ html: '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}' });
    const answer = await live.post('/v1/generate', { template_id: id, data: {} });
    expect(answer.status, answer.text).toBe(200);
    const failed = answer.json<GenerationAnswer>();
    expect(failed).toMatchObject({
      status: 'failed',
      template_id: id,
      error: { code: expect.stringMatching(/^[a-z][a-z0-9_]*$/), message: expect.stringMatching(/\S.{8,}/) },
    });
    expect(failed).not.toHaveProperty('file_url');
    expect((await live.get(failed.status_url)).json()).toMatchObject({
      status: 'failed',
      error: failed.error,
    });
    expectError(await live.get(`/v1/generate/${failed.id}/download`), [404, 409, 410, 422]);
    const asFile = await live.post(
      '/v1/generate',
      { template_id: id, data: {} },
      { accept: 'application/pdf' },
    );
    expectError(asFile, 422);
    const { id: good } = await live.createTemplate({ html: '<p>still well</p>' });
    expect(await textOf(await live.document(good))).toBe('still well');
  });
});
