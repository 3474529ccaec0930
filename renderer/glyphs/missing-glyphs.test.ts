import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentFormat, RenderOptions } from '@trifold/crds';
import { suiteDirectory } from '@trifold/test-support/files/test-directory.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fontFile } from '../testing/files/font-file.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';
import { testBinary } from '../testing/browser/test-browser.ts';

const directory = suiteDirectory();
let latinFont: Buffer;
let tibetanFont: Buffer;
let fixture: RendererFixture;

/** A machine whose only font is Open Sans: Latin, Greek, Cyrillic and Hebrew. */
beforeAll(async () => {
  latinFont = await fontFile();
  tibetanFont = fontOf('ཀ', latinFont);
  await writeFile(join(directory, 'font.ttf'), latinFont);
  const configuration = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
    <fontconfig><dir>${directory}</dir><cachedir>${directory}/cache</cachedir></fontconfig>`;
  await writeFile(join(directory, 'fonts.conf'), configuration);
  const { executable, environment } = await testBinary();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.stubEnv('FONTCONFIG_FILE', join(directory, 'fonts.conf'));
  fixture = await RendererFixture.start({ browser: executable, browsers: 1 });
});
afterAll(async () => {
  await fixture.close();
  vi.unstubAllEnvs();
});

/** Returns a TrueType font that has only this character, with a glyph from the given font. */
function fontOf(character: string, font: Buffer): Buffer {
  const changed = Buffer.from(font);
  const record = changed.indexOf('cmap');
  const table = changed.readUInt32BE(record + 8);
  const code = character.codePointAt(0) ?? 0;
  // One subtable of format 12 (platform 3, encoding 10) with one group.
  changed.writeUInt32BE(0x0000_0001, table);
  changed.writeUInt32BE(0x0003_000a, table + 4);
  const subtable = [12, 0x000c_0000, 28, 0, 1, code, code, 36];
  for (const [index, value] of subtable.entries()) changed.writeUInt32BE(value, table + 8 + index * 4);
  return changed;
}

interface Order {
  readonly format?: DocumentFormat;
  readonly options?: RenderOptions;
}

async function missingIn(html: string, order: Order = {}, json: unknown = {}): Promise<string[]> {
  const { warnings } = await fixture.complete({ html }, { ...order, json });
  expect(warnings.every(({ code }) => code === 'glyphs_missing')).toBe(true);
  return warnings.map(({ name }) => name);
}

describe('Warnings about missing glyphs', () => {
  it.each(['pdf', 'png'] as const)('name each script that no installed font covers: %s', async (format) => {
    const html = '<p>Łódź Ελληνικά Счёт — 17 €</p><p>{{name}} and &#3585; and 𐀀, done 🎉</p>';
    const scripts = await missingIn(html, { format }, { name: 'ཀ' });
    expect(scripts.toSorted()).toEqual(['Emoji', 'Linear B', 'Thai', 'Tibetan']);
  });

  it('explain what to do', async () => {
    const outcome = await fixture.render({ html: '<p>ཀ</p>' });
    expect(outcome).toMatchObject({
      result: {
        warnings: [
          {
            code: 'glyphs_missing',
            message:
              'No installed font covers the Tibetan script, so such characters may appear as boxes or blanks. ' +
              'Install a font, or embed one with @font-face (docs/how-to/fonts.md).',
            name: 'Tibetan',
          },
        ],
      },
    });
  });

  it('fail a PDF/A document, with the position of the character', async () => {
    const outcome = await fixture.render({ html: '<p>\nཀ</p>' }, { options: { conformance: 'a-2b' } });
    const place = { part: 'html', line: 2, column: 1 };
    expect(outcome).toMatchObject({ failure: { code: 'conformance_failed', place } });
  });

  it.each(['html', 'docx'] as const)(
    "are omitted for files that use the reader's fonts: %s",
    async (format) => {
      expect(await missingIn('<p>ཀ</p>', { format })).toEqual([]);
    },
  );

  it('include text in the footer', async () => {
    const footer = { enabled: true, content: '<b>ཀ {{page}}</b>' };
    expect(await missingIn('<p>x</p>', { options: { footer } })).toEqual(['Tibetan']);
  });

  it.each([
    ['opacity', '<p style="opacity: 0.5">ཀ</p>'],
    ['nested opacity', '<div style="opacity: 0.5"><p style="opacity: 0.5">ཀ</p></div>'],
    ['a later page', '<p>1</p><p style="break-before: page">2 ཀ</p>'],
    ['the end of a long text', `<p>${'Some text. '.repeat(50_000)}</p><p>ཀ</p>`],
  ])('include text with %s', async (_, html) => {
    expect(await missingIn(html)).toEqual(['Tibetan']);
  });

  it('do not include text that is not visible in a PDF', async () => {
    expect(await missingIn('<!-- ཀ --><p hidden>ཀ</p><p title="ཀ">x</p>')).toEqual([]);
  });

  it.each(['pdf', 'png'] as const)(
    'do not include scripts covered by an embedded font: %s',
    async (format) => {
      const own = `@font-face { font-family: Own; src: url(data:font/ttf;base64,${tibetanFont.toString('base64')}) }`;
      expect(await missingIn(`<style>${own} p { font-family: Own }</style><p>ཀ</p>`, { format })).toEqual([]);
    },
  );

  it('include scripts that an embedded font lacks', async () => {
    const own = `@font-face { font-family: Own; src: url(data:font/ttf;base64,${latinFont.toString('base64')}) }`;
    expect(await missingIn(`<style>${own} p { font-family: Own }</style><p>ཀ</p>`)).toEqual(['Tibetan']);
  });

  it('log the missing scripts that are in everyday use', async () => {
    await fixture.renderer.warnOfMissingScripts();
    const line = fixture.log.map((text) => JSON.parse(text)).find(({ scripts }) => scripts !== undefined);
    expect(line.scripts).toEqual(expect.arrayContaining(['Thai', 'Han', 'Emoji']));
    for (const script of ['Latin', 'Greek', 'Cyrillic', 'Linear_B'])
      expect(line.scripts).not.toContain(script);
  });
});
