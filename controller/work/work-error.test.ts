import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { RenderQueueError } from '@trifold/platform/render-queue/port.ts';
import { TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import { expect, it } from 'vitest';
import { WorkError, workErrorOf } from './work-error.ts';

it.each([
  [new WorkError('data_missing', 'no data'), 'data_missing', 'no data'],
  [new TemplateSourceError('no source'), 'template_source_missing', 'no source'],
  [new ObjectStoreError('corrupt', 'not readable'), 'storage_failed', '(corrupt)'],
])('%s fails the work', (error, code, message) => {
  expect(workErrorOf(error)).toMatchObject({ code, message: expect.stringContaining(message) });
});

it.each([
  new ObjectStoreError('unavailable', 'away'),
  new RenderQueueError('closed', 'closed'),
  new Error('a bug'),
])('%s is rethrown, so that the work is retried', (error) => {
  expect(() => workErrorOf(error)).toThrow(error);
});
