import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MergePool, type MergePoolOptions } from '../merge/merge-pool.ts';
import type { DocumentError } from '@trifold/platform/errors/document-error.ts';

/** Maximum size of the output, in bytes. */
const MAX_BYTES = 4 * 2 ** 20;
const NEVER = new AbortController().signal;

let pool: MergePool;
let number = 0;

/** Provides a pool to the tests of a suite. */
const withPool = (timeoutMs: number, options: Partial<MergePoolOptions> = {}) => {
  beforeAll(async () => {
    pool = new MergePool({ workers: 2, maxBytes: MAX_BYTES, timeoutMs, ...options });
    await pool.start();
  });
  afterAll(() => pool.stop());
};

const merge = async (html: unknown, data: unknown = {}): Promise<string> => {
  number += 1;
  const job = {
    revisionKey: `r${number}`,
    source: { html: html as string },
    data: Buffer.from(JSON.stringify(data)),
  };
  return (await pool.merge(job, { signal: NEVER, account: 'acme', warnings: [] })).html;
};
/** Returns the failure's code. Merges an ordinary template concurrently, and another one afterwards. */
const failureOf = async (html: string, data: unknown = {}): Promise<string> => {
  const failing = merge(html, data).then(
    (merged) => `merged ${merged.length} characters`,
    (error: { code?: string; retryable?: boolean }) =>
      `${error.code}${error.retryable === false ? '' : ', to be tried again'}`,
  );
  expect(await merge('<body>{{x}}', { x: 'beside it' })).toBe('<body>beside it');
  const code = await failing;
  expect(await merge('<body>{{x}}', { x: 'after it' })).toBe('<body>after it');
  return code;
};

const range = (length: number) => Array.from({ length }, (_, index) => index);
const repeat = (block: string, times: number, inner: string) =>
  `${`{{#each @root.${block}}}`.repeat(times)}${inner}${'{{/each}}'.repeat(times)}`;

describe('the time limit of a merge', () => {
  withPool(1500);
  it.each([
    ['nested each blocks', repeat('a', 6, ''), { a: range(200) }],
    ['sums of a long list', repeat('a', 2, '{{#if (sum @root.a)}}{{/if}}'), { a: range(3000) }],
    ['joins of a long list', repeat('a', 2, '{{#if (join @root.a)}}{{/if}}'), { a: range(2000) }],
    [
      '100,000 QR codes',
      repeat('a', 1, '{{#if (qrCode "https://example.com/0123456789")}}{{/if}}'),
      { a: range(100_000) },
    ],
    [
      '100,000 bar codes',
      repeat('a', 1, '{{#if (barCode "0123456789" "code128")}}{{/if}}'),
      { a: range(100_000) },
    ],
    ['currencies and dates', repeat('a', 2, '{{#if (formatCurrency 1.5 "EUR")}}{{/if}}'), { a: range(3000) }],
    [
      'a partial that calls itself twice',
      '{{#*inline "p"}}{{#if this}}{{> p next}}{{> p next}}{{/if}}{{/inline}}{{> p list}}',
      { list: range(60).reduce<unknown>((next) => ({ next }), null) },
    ],
  ])('stops a template with %s', async (_, html, data) =>
    expect(await failureOf(html, data)).toBe('merge_timeout'),
  );
});

describe('the size limit of a merge', () => {
  withPool(5000);
  const LONG = 'x'.repeat(8 * 2 ** 20);
  it.each([
    ['a text in uppercase', '{{uppercase text}}', { text: LONG }],
    ['a text of 50 MB', '{{{text}}}', { text: LONG.repeat(6) }],
    ['repeated text', repeat('a', 1, '{{@root.text}}'), { a: range(1000), text: 'x'.repeat(100_000) }],
    ['a joined list', '{{join a text}}', { a: range(1000), text: 'x'.repeat(10_000) }],
    ['the lines helper', '{{lines text}}', { text: '\n'.repeat(2 * 2 ** 20) }],
    ['QR codes', repeat('a', 1, '{{qrCode "x" size="30mm"}}'), { a: range(3000) }],
  ])('stops the output of %s', async (_, html, data) =>
    expect(await failureOf(html, data)).toMatch(/^merge_(?:too_large|timeout)$/),
  );
});

describe('the memory limit of a merge', () => {
  withPool(100_000, { maxBytes: 2 ** 30, memoryMib: 64 });
  it('stops a template that exhausts it', async () => {
    const html = repeat('a', 3, '{{this}}-'.repeat(200));
    const data = { a: Array.from({ length: 150 }, () => 'ж'.repeat(50)) };
    expect(await failureOf(html, data)).toBe('merge_too_large');
  }, 120_000);
});

describe('a template with endless nesting', () => {
  withPool(5000);
  it.each([
    ['a partial that includes itself', '{{#*inline "p"}}{{> p}}{{/inline}}{{> p}}'],
    [
      'two partials that include each other',
      '{{#*inline "p"}}{{> q}}{{/inline}}{{#*inline "q"}}{{> p}}{{/inline}}{{> q}}',
    ],
    [
      'a partial block that includes itself',
      '{{#*inline "p"}}{{#> p}}{{> @partial-block}}{{/p}}{{/inline}}{{#> p}}x{{/p}}',
    ],
  ])('fails with %s', async (_, html) => {
    expect(await failureOf(html)).toMatch(
      /^(?:merge_failed|merge_timeout|merge_too_large|template_invalid)$/,
    );
  });
});

/** Bindings to properties that the data does not own. None of them may expose, for example, a function name. */
const PROTOTYPES = [
  '{{constructor}}',
  '{{constructor.name}}',
  '{{__proto__.constructor}}',
  '{{a.__proto__}}',
  '{{a.[__proto__].x}}',
  '{{a/constructor/name}}',
  '{{this.constructor.constructor}}',
  '{{@root.constructor}}',
  '{{@root.__proto__.toString}}',
  '{{../constructor}}',
  '{{#with constructor}}{{name}}{{/with}}',
  '{{#with (lookup a "constructor")}}{{name}}{{/with}}',
  '{{lookup a "__proto__"}}',
  '{{lookup (lookup a "constructor") "prototype"}}',
  '{{lookup list "push"}}{{lookup text "sub"}}{{lookup list.[0] "toFixed"}}',
  '{{#each a.__proto__}}{{@key}}{{/each}}{{#each constructor}}{{@key}}{{/each}}',
  '{{#with "s" as |string|}}{{string.constructor}}{{lookup string "constructor"}}{{/with}}',
  '{{#each list}}{{constructor}}{{lookup this "constructor"}}{{/each}}',
  '{{valueOf}}{{toString}}{{hasOwnProperty}}{{__defineGetter__}}{{__lookupGetter__}}',
  '{{#with (lookup . "valueOf")}}{{call}}{{/with}}',
  '{{join list.constructor}}{{sum a "constructor"}}{{uppercase a.constructor}}',
  '{{#*inline "p"}}{{constructor}}{{/inline}}{{> p}}{{> p a}}',
  '{{@data}}{{@global}}{{@process}}{{@root.process}}{{process}}{{global}}{{require}}{{globalThis}}{{helpers}}',
  '{{#if (lookup this "constructor")}}reached{{/if}}{{#if constructor}}reached{{/if}}',
];

describe('a hostile template', () => {
  withPool(5000);
  it.each(PROTOTYPES)('has access only to its data: %s', async (html) => {
    const data = { a: { b: 1 }, list: [1, 2], text: 'text' };
    const outcome = await merge(`<body>${html}`, data).catch(({ code, message }: DocumentError) =>
      JSON.stringify({ code, message }),
    );
    // The output is empty or the template is rejected.
    expect(outcome).toMatch(/^<body>$|"code":"(?:template_invalid|merge_failed)"/);
    expect(outcome).not.toMatch(/function|native code|reached|Object\b.*Object/);
  });

  it('leaves no state behind for the next template', async () => {
    await merge(
      '<body>{{#*inline "leak"}}leaked{{/inline}}{{x}}',
      JSON.parse('{"__proto__": {"polluted": 1}, "x": 1}'),
    );
    await expect(merge('<body>{{> leak}}')).rejects.toMatchObject({ code: 'template_invalid' });
    expect(await merge('<body>{{polluted}}{{x.polluted}}{{__proto__.polluted}}', { x: {} })).toBe('<body>');
    expect(await merge('<body>{{__proto__.x}}', JSON.parse('{"__proto__": {"x": "own"}}'))).toMatch(
      /^<body>(?:own)?$/,
    );
  });

  const NO_TEXTS: readonly (readonly [unknown])[] = [
    [{ type: 'Program', body: [{ type: 'MustacheStatement', path: 0, params: [], loc: { start: 0 } }] }],
    [{ type: 'Program', body: [], blockParams: ['process.exit()'] }],
    [['<p>{{x}}</p>']],
    [{ toString: 'x' }],
    [42],
    [null],
  ];
  it.each(NO_TEXTS)(
    'does not compile if it is not a string but, for example, a syntax tree: %j',
    async (tree) => {
      await expect(merge(tree)).rejects.toMatchObject({ code: 'template_invalid', retryable: false });
    },
  );
});
