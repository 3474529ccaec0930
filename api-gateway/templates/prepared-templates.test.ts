import { expect, it, vi } from 'vitest';
import { PreparedTemplates, type PreparedTemplatesOptions } from './prepared-templates.ts';

const MiB = 1024 * 1024;

it('Template contents beyond 64 MiB are dropped, the least recently used first', async () => {
  const findProblem = vi.fn(async () => undefined);
  const revisionOf = async (_spec: object, { html }: { html: string }) => ({
    sha256: html,
    body: { length: 20 * MiB },
  });
  const templates = { metadataOnly: () => templates };
  const prepared = new PreparedTemplates({
    kubernetes: { resource: () => templates },
    checker: { findProblem, revisionOf },
    config: { maxTemplateBytes: MiB },
  } as unknown as PreparedTemplatesOptions);
  for (const html of ['a', 'a', 'b', 'b', 'a']) await prepared.prepareInline('acme', { html });
  // Each takes twice the bytes of its revision, so only one fits.
  expect(findProblem).toHaveBeenCalledTimes(3);
});
