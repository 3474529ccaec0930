import { expect, it } from 'vitest';
import { decodeResultFacts, encodeResultFacts } from './result-facts.ts';

const result = {
  size: 28_538,
  pages: 2,
  sha256: 'ab'.repeat(32),
  renderTimeMs: 12,
  timings: { queuedMs: 0.4, mergeMs: 0.3, printMs: 10.9, storeMs: 0 },
  startedAt: '2026-11-21T12:00:00.000Z',
  finishedAt: '2026-11-21T12:00:00.012Z',
};
const infoWith = (metadata: Record<string, string>) => ({
  key: 'documents/x/acme/gen-1',
  size: 28_538,
  contentType: 'application/pdf',
  metadata,
  lastModified: new Date(0),
});
const { size: _, ...facts } = result;

it('reads a result from object metadata and ignores other entries', () => {
  expect(decodeResultFacts(infoWith({ job: 'gen-1', ...encodeResultFacts(facts) }))).toEqual(result);
});

it('writes names and values that every object store accepts', () => {
  for (const [name, value] of Object.entries(encodeResultFacts(facts))) {
    expect(name).toMatch(/^result-[a-z0-9-]+$/);
    expect(value).toMatch(/^[\x21-\x7e]+$/);
  }
});

it.each(Object.keys(encodeResultFacts(facts)))('finds no result without %s', (name) => {
  const { [name]: __, ...metadata } = encodeResultFacts(facts) as Record<string, string>;
  expect(decodeResultFacts(infoWith(metadata))).toBeUndefined();
});

it('finds no result in the metadata of another object', () => {
  expect(decodeResultFacts(infoWith({}))).toBeUndefined();
});
