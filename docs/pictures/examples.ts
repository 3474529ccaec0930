import type { TrifoldClient } from '../../clients/typescript/index.ts';
import type { GenerationOptions } from '../../clients/typescript/resources/generation.ts';
import { EXAMPLES, exampleData, exampleFile, type Example } from './company.ts';
import { pagesOf, writeImage } from './image-files.ts';

const STYLE = `
  body { margin: 0; display: flex; align-items: center; justify-content: center; gap: 28px; box-sizing: border-box; height: 100vh;
    padding: 24px; background: #eef0f5; font: 15px/1.4 Inter, 'Open Sans', Arial, sans-serif; color: #1d2433 }
  figure { margin: 0; text-align: center }
  figcaption { margin-top: 10px; color: #565d70 }
  .page { display: block; margin: 0 auto; overflow: hidden; background: #fff; box-shadow: 0 1px 2px #10142830, 0 8px 24px #10142820 }
  .page img { display: block; width: 100% }
  pre { margin: 0; padding: 16px 18px; border-radius: 8px; background: #14161d; color: #eceef5; font: 12px/1.45 'Liberation Mono', monospace;
    white-space: pre-wrap; text-align: left }
  h2 { margin: 0 0 8px; font-size: 15px }
  .code { width: 470px; display: grid; gap: 18px }
  .arrow { font-size: 40px; color: #4338ca }
`;

/** An image with pages laid out on it. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly body: string;
  readonly data?: Record<string, unknown>;
}

/** Creates the images of printed examples. */
export class ExamplePictures {
  readonly #client: TrifoldClient;

  constructor(client: TrifoldClient) {
    this.#client = client;
  }

  async make(): Promise<void> {
    for (const name of EXAMPLES) await this.#firstPage(name);
    await this.#fromDataToPage();
    await this.#headersByPage();
    await this.#landscapeAppendix();
    await this.#pageRanges();
    await this.#crop('epc-code', 'sepa-invoice', { top: 0.64, height: 0.235 });
    await this.#crop('swiss-qr-bill', 'swiss-bill', { top: 105 / 297 + 0.293, height: 105 / 297 });
    await this.#imageFormats();
  }

  /** For the README's gallery. */
  async #firstPage(name: Example): Promise<void> {
    const [page] = await this.#print(name, 72);
    const body =
      '<div class="page" style="max-height: 472px"><img src="{{page}}" style="width: auto; max-width: 372px; max-height: 472px"></div>';
    await this.#draw(`example-${name}`, { width: 420, height: 520, body, data: { page } });
  }

  async #fromDataToPage(): Promise<void> {
    const [page] = await this.#print('sepa-invoice', 96);
    const data = await exampleData('sepa-invoice');
    const { number, due, lines } = data as {
      number: string;
      due: string;
      lines: { description: string; total: number }[];
    };
    const shown = lines.map(({ description, total }) => ({ description, total }));
    const json = JSON.stringify({ number, due, lines: shown }, null, 2);
    const text = await exampleFile('sepa-invoice.yaml');
    const rows =
      /<tbody>\s*{{#each lines}}[\s\S]*?{{\/each}}\s*<\/tbody>/.exec(text)?.[0].replaceAll(/^ {10}/gm, '') ??
      '';
    const html = `<h1>Invoice {{number}}</h1>\n<table>\n…\n${rows}`;
    const body = `<div class="code"><div><h2>Template</h2><pre>{{html}}</pre></div><div><h2>Data</h2><pre>{{json}}</pre></div></div>
      <div class="arrow">→</div><div class="page" style="width: 560px"><img src="{{page}}"></div>`;
    await this.#draw('template-and-data', { width: 1280, height: 880, body, data: { page, html, json } });
  }

  async #headersByPage(): Promise<void> {
    const { paragraphs, ...letter } = (await exampleData('letter')) as { paragraphs: string[] };
    const long = { ...letter, paragraphs: [...paragraphs, ...paragraphs, ...paragraphs] };
    const pages = await this.#print('letter', 72, long);
    await this.#row('headers-by-page', pages.slice(0, 2), ['First page', 'Second page'], {
      width: 1000,
      height: 720,
      page: 430,
    });
  }

  async #landscapeAppendix(): Promise<void> {
    const pages = (await this.#print('report', 72)).slice(-2);
    await this.#row('landscape-appendix', pages, [], { width: 1100, height: 660, page: 420 });
  }

  async #pageRanges(): Promise<void> {
    const data = await exampleData('report');
    const options = { page_ranges: '2,4-' };
    const pages = await this.#print('report', 60, data, options);
    const whole = await this.#print('report', 60);
    const row = (
      name: string,
      caption: string,
    ) => `<figure><div style="display: flex; gap: 16px; align-items: center">
      {{#each ${name}}}<div class="page" style="height: 236px"><img src="{{this}}" style="width: auto; height: 100%"></div>{{/each}}</div>
      <figcaption>${caption}</figcaption></figure>`;
    const body = `<div style="display: grid; gap: 24px; justify-items: center">${row('whole', 'Without page_ranges')}${row('pages', '"page_ranges": "2,4-"')}</div>`;
    await this.#draw('page-ranges', { width: 1000, height: 640, body, data: { whole, pages } });
  }

  async #row(
    name: string,
    pages: readonly string[],
    captions: readonly string[],
    size: Pick<Sheet, 'width' | 'height'> & { page: number },
  ): Promise<void> {
    const figures = pages.map((src, index) => ({ src, caption: captions[index] }));
    const body = `{{#each figures}}<figure><div class="page" style="width: ${size.page}px"><img src="{{src}}"></div>
      {{#if caption}}<figcaption>{{caption}}</figcaption>{{/if}}</figure>{{/each}}`;
    await this.#draw(name, { ...size, body, data: { figures } });
  }

  /** A part of the first page. `top` and `height` are fractions of the page's height. */
  async #crop(
    name: string,
    example: Example,
    { top, height }: { top: number; height: number },
  ): Promise<void> {
    const [page] = await this.#print(example, 110);
    const width = 860;
    const whole = (width * 297) / 210;
    const body = `<div class="page" style="width: ${width}px; height: ${whole * height}px"><img src="{{page}}" style="margin-top: ${-whole * top}px"></div>`;
    await this.#draw(name, {
      width: width + 48,
      height: Math.ceil(whole * height) + 48,
      body,
      data: { page },
    });
  }

  async #imageFormats(): Promise<void> {
    const shown = [
      ['png', undefined],
      ['jpeg', 90],
      ['jpeg', 20],
      ['webp', 20],
    ] as const;
    const data = await exampleData('certificate');
    const figures = [];
    for (const [format, quality] of shown) {
      const options = { device_scale: 2, ...(quality !== undefined && { quality }) };
      const bytes = await this.#file('certificate', data, { format, options });
      const caption = `${format}${quality === undefined ? '' : `, quality ${quality}`}: ${Math.round(bytes.length / 1024)} KiB`;
      figures.push({ src: dataUri(bytes, format), caption });
    }
    const body = `<div style="display: grid; grid-template-columns: 1fr 1fr; gap: 20px">{{#each figures}}<figure>
      <div class="page" style="width: 440px; height: 180px"><img src="{{src}}" style="width: 1123px; margin: -250px 0 0 -340px"></div>
      <figcaption>{{caption}}</figcaption></figure>{{/each}}</div>`;
    await this.#draw('image-formats', { width: 960, height: 500, body, data: { figures } });
  }

  /** Returns the printed pages as data: URIs. */
  async #print(
    name: Example,
    dotsPerInch: number,
    data?: Record<string, unknown>,
    options?: GenerationOptions,
  ): Promise<string[]> {
    const pdf = await this.#file(name, data ?? (await exampleData(name)), {
      format: 'pdf',
      ...(options && { options }),
    });
    return (await pagesOf(pdf, dotsPerInch)).map((page) => dataUri(page, 'png'));
  }

  async #file(template_id: Example, data: Record<string, unknown>, more: Printed): Promise<Uint8Array> {
    const { id } = await this.#client.documents.generate({ template_id, data, ...more });
    return (await this.#client.documents.download(id)).bytes();
  }

  async #draw(name: string, { width, height, body, data = {} }: Sheet): Promise<void> {
    const options = {
      page_size: 'custom',
      width: `${width}px`,
      height: `${height}px`,
      margins: '0mm',
      full_page: false,
    } as const;
    const template = {
      html: `<!doctype html><html lang="en"><body>${body}</body></html>`,
      css: STYLE,
      default_options: options,
    };
    const { id } = await this.#client.documents.generate({ template, data, format: 'png' });
    await writeImage(name, await (await this.#client.documents.download(id)).bytes());
  }
}

interface Printed {
  readonly format: 'pdf' | 'png' | 'jpeg' | 'webp';
  readonly options?: GenerationOptions;
}

function dataUri(bytes: Uint8Array, type: string): string {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
