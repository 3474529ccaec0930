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

describe('Facts in the metadata of a document file', () => {
  it.each(['live', 'test'] as const)('are those known at acceptance: %s', (mode) => {
    const facts = { ...FACTS, mode };
    expect(decodeFacts(encodeFacts(facts))).toEqual(facts);
  });

  it.each(DOCUMENT_FORMATS)('contain the format: %s', (format) => {
    expect(decodeFacts(encodeFacts({ ...FACTS, format }))?.format).toBe(format);
  });

  it('do not exist for a file that is not a document', () => {
    const { uid: _uid, ...rest } = encodeFacts(FACTS);
    expect(decodeFacts(rest)).toBeUndefined();
  });
});
