import { DOCUMENT_FORMATS } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { decodeFacts, encodeFacts, type DocumentFacts } from './document-facts.ts';

const FACTS: DocumentFacts = {
  job: 'gen-1',
  uid: 'u-1',
  template: 'tpl-1',
  version: 3,
  format: 'pdf',
  mode: 'live',
  keyId: 'key-1',
  filename: 'Счёт №1.pdf',
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: '2026-11-22T12:00:00.000Z',
};

describe('what a file says of its document', () => {
  it.each(['live', 'test'] as const)('is what was known when it was accepted: %s', (mode) => {
    const facts = { ...FACTS, mode };
    expect(decodeFacts(encodeFacts(facts))).toEqual(facts);
  });

  it.each(DOCUMENT_FORMATS)('tells the format: %s', (format) => {
    expect(decodeFacts(encodeFacts({ ...FACTS, format }))?.format).toBe(format);
  });

  it('is nothing for a file that is not a document', () => {
    const { uid: _uid, ...rest } = encodeFacts(FACTS);
    expect(decodeFacts(rest)).toBeUndefined();
  });
});
