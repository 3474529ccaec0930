import { readdirSync, readFileSync } from 'node:fs';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { LAYOUTS, LAYOUT_DATA } from './testing/sound-layouts.ts';
import { RendererFixture, type Order } from './testing/renderer-fixture.ts';
import { WARNING_PAIRS } from './testing/warning-pairs.ts';

const EXAMPLES = new URL('../examples/', import.meta.url);

// All documents share a browser, which caches much of what it has read.
const fixture = RendererFixture.forSuite({ browsers: 1 });

async function warningsOf(content: Partial<RevisionContent> | string, order?: Order): Promise<string[]> {
  const revision = typeof content === 'string' ? { html: content } : content;
  const { warnings } = await fixture.complete(revision, { mode: 'test', ...order });
  return warnings.map(({ code, name, line }) => [code, name, line ?? []].flat().join(' '));
}

describe('A document with a fault', () => {
  const rounds = [1, 2, 3, 4, 5];

  it.each(Object.entries(WARNING_PAIRS))('has exactly its warnings every time: %s', async (_, pair) => {
    const [faulty, sound, expected, order] = pair;
    const found: string[][] = [];
    for (const _round of rounds) {
      found.push(await warningsOf(faulty, order));
      if (sound !== faulty) expect(await warningsOf(sound, order)).toEqual([]);
    }
    expect(found).toEqual(rounds.map(() => expected));
  });
});

describe('A document without a fault', () => {
  it.each(Object.entries(LAYOUTS))('has no warning: %s', async (_, layout) => {
    for (const json of LAYOUT_DATA) expect(await warningsOf(layout, { json })).toEqual([]);
  });

  const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml'));
  it.each(examples)('has no warning: %s', async (file) => {
    // The gateway would have stored the e-invoice.
    const { eInvoice: _, ...spec } = (
      parse(readFileSync(new URL(file, EXAMPLES), 'utf8')) as { spec: Partial<RevisionContent> }
    ).spec;
    const data = readFileSync(new URL(`${file.replace('.yaml', '')}/data.json`, EXAMPLES), 'utf8');
    for (const mode of ['live', 'test'] as const) {
      expect(await warningsOf(spec, { json: JSON.parse(data), mode })).toEqual([]);
    }
  });
});
