import type { Template } from '@trifold/crds';
import { beforeEach, expect, it } from 'vitest';
import { CurrentTemplates } from './current-templates.ts';

let stored: Template | undefined;
let reads: string[];
beforeEach(() => {
  stored = templateOf(1, 'first');
  reads = [];
});

const templates = new CurrentTemplates(
  {
    async find() {
      reads.push('whole');
      return stored;
    },
  },
  {
    async find() {
      reads.push('metadata');
      if (!stored) return undefined;
      const { apiVersion, kind, metadata } = stored;
      return { apiVersion, kind, metadata };
    },
  },
);

function templateOf(generation: number, html: string, annotations = {}): Template {
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'Template',
    metadata: {
      name: 'invoice',
      namespace: 'acme',
      uid: 'uid-1',
      generation,
      resourceVersion: '7',
      creationTimestamp: '2026-11-21T12:00:00Z',
      annotations,
    },
    spec: { displayName: 'Invoice', html },
  };
}

it('reads the spec of a version once, and the metadata each time', async () => {
  expect(await templates.find('acme', 'invoice')).toEqual(templateOf(1, 'first'));
  stored = templateOf(1, 'first', { 'trifold.dev/published': '1' });
  expect(await templates.find('acme', 'invoice')).toEqual(stored);
  expect(reads).toEqual(['metadata', 'whole', 'metadata']);
  stored = templateOf(2, 'second');
  expect(await templates.find('acme', 'invoice')).toEqual(stored);
  expect(reads.slice(3)).toEqual(['metadata', 'whole']);
});

it('finds no deleted template', async () => {
  await templates.find('acme', 'invoice');
  stored = undefined;
  expect(await templates.find('acme', 'invoice')).toBeUndefined();
});
