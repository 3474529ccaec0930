import { afterEach, describe, expect, it } from 'vitest';
import { MergePool, type MergePoolOptions } from './merge.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';

const NEVER = new AbortController().signal;
/** Runs for hours: 200 to the power of six iterations. */
const ENDLESS = `${'{{#each @root.a}}'.repeat(6)}{{#if x}}y{{/if}}${'{{/each}}'.repeat(6)}`;
const NUMBERS = { a: Array.from({ length: 200 }, (_, index) => index) };

describe('the pool of merge processes', () => {
  let pool: MergePool;
  afterEach(() => pool.stop());

  const start = async (options: Partial<MergePoolOptions> = {}) => {
    pool = new MergePool({ workers: 1, timeoutMs: 20_000, maxBytes: 2 ** 20, ...options });
    await pool.start();
  };
  const merge = async (html: string, data: unknown = {}) => {
    const job = { revisionKey: html, source: { html }, data: Buffer.from(JSON.stringify(data)) };
    return (await pool.merge(job, { signal: NEVER, account: 'acme' })).html;
  };
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DocumentError);
    return error;
  };

  it('stops a merge at the time limit and continues with the next', async () => {
    await start({ timeoutMs: 2000 });
    const endless = failure(merge(ENDLESS, NUMBERS));
    const next = merge('<body>{{x}}', { x: 1 });
    expect(await endless).toMatchObject({
      code: 'merge_timeout',
      message: 'merging the template with the data took longer than 2000 ms',
      retryable: false,
    });
    expect(await next).toBe('<body>1');
  });

  it('survives a template that exhausts the memory', async () => {
    await start({ maxBytes: 2 ** 30, timeoutMs: 100_000, memoryMib: 64 });
    const html = `<body>{{#each @root.a}}{{#each @root.a}}{{#each @root.a}}${'{{this}}-'.repeat(200)}{{/each}}{{/each}}{{/each}}`;
    const outcome = await failure(merge(html, { a: Array.from({ length: 150 }, () => 'ж'.repeat(50)) }));
    expect(outcome).toMatchObject({ code: 'merge_too_large', retryable: false });
    expect(await merge('<body>fine')).toBe('<body>fine');
  }, 120_000);
});
