import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { MergePool, type MergePoolOptions } from './merge.ts';
import { DocumentError } from '@trifold/platform/service/document-error.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

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
  const merge = async (html: string, data: unknown = {}, signal = NEVER) => {
    const job = { revisionKey: html, source: { html }, data: Buffer.from(JSON.stringify(data)) };
    return (await pool.merge(job, { signal, account: 'acme' })).html;
  };
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DocumentError);
    return error;
  };

  it('merges many concurrent requests', async () => {
    await start({ workers: 2 });
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const merged = await Promise.all(numbers.map((n) => merge(`<body>template ${n % 5} {{n}}`, { n })));
    expect(merged).toEqual(numbers.map((n) => `<body>template ${n % 5} ${n}`));
  });

  it('keeps the event loop free', async () => {
    await start({ timeoutMs: 60_000 });
    const abort = new AbortController();
    let turns = 0;
    const turn = setInterval(() => {
      turns += 1;
      if (turns === 20) abort.abort(new Error('so many turns'));
    }, 1);
    await expect(merge(ENDLESS, NUMBERS, abort.signal)).rejects.toThrow('so many turns');
    clearInterval(turn);
  });

  it('stops a merge at the time limit and continues with the next', async () => {
    await start({ timeoutMs: 3000 });
    const endless = failure(merge(ENDLESS, NUMBERS));
    const next = merge('<body>{{x}}', { x: 1 });
    expect(await endless).toMatchObject({
      code: 'merge_timeout',
      message: 'merging the template with the data took longer than 3000 ms',
      retryable: false,
    });
    expect(await next).toBe('<body>1');
  });

  it('stops a merge when its signal aborts', async () => {
    await start();
    const abort = new AbortController();
    const endless = merge(ENDLESS, NUMBERS, abort.signal);
    const waiting = merge('<body>waiting', {}, abort.signal);
    abort.abort(new Error('enough'));
    await expect(endless).rejects.toThrow('enough');
    await expect(waiting).rejects.toThrow('enough');
    expect(await merge('<body>free')).toBe('<body>free');
  });

  it('reports why a template fails', async () => {
    await start();
    expect(await failure(merge('{{nope x}}'))).toMatchObject({ code: 'template_invalid', retryable: false });
    expect(
      await failure(
        merge('<body>{{#each a}}0123456789{{/each}}', { a: Array.from({ length: 200_000 }, () => 0) }),
      ),
    ).toMatchObject({
      code: 'merge_too_large',
      retryable: false,
    });
    expect(await merge('<body>fine')).toBe('<body>fine');
  });

  it('survives a template that fills the memory', async () => {
    await start({ maxBytes: 2 ** 30, timeoutMs: 100_000, memoryMib: 64 });
    const html = `<body>{{#each @root.a}}{{#each @root.a}}{{#each @root.a}}${'{{this}}-'.repeat(200)}{{/each}}{{/each}}{{/each}}`;
    const outcome = await failure(merge(html, { a: Array.from({ length: 150 }, () => 'ж'.repeat(50)) }));
    expect(outcome).toMatchObject({ code: 'merge_too_large', retryable: false });
    expect(await merge('<body>fine')).toBe('<body>fine');
  }, 120_000);

  it('leaves no process behind', async () => {
    await start({ workers: 2 });
    const children = () =>
      readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
    const before = children();
    await pool.stop();
    expect(before.length - children().length).toBe(2);
  });

  it('gives a template no access to the process', async () => {
    process.env['TRIFOLD_SECRET'] = 'secret';
    await start();
    expect(await merge('<body>{{process.env.TRIFOLD_SECRET}}{{env}}{{require}}')).toBe('<body>');
    delete process.env['TRIFOLD_SECRET'];
  });

  it('does not start a merge whose signal has aborted', async () => {
    await start();
    await expect(merge('<body>x', {}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    await eventually(async () => expect(await merge('<body>x')).toBe('<body>x'));
  });
});
