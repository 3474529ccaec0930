import { GENERATION_JOB, newId, TEMPLATE, type Template } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const gateway = await GatewayFixture.shared();
const template = await gateway.template();

const generate = async (options: object, template_id = template) =>
  gateway.call('POST', '/v1/generate', { body: { template_id, data: {}, async: true, options } });
const batch = async (options: object) =>
  gateway.call('POST', '/v1/generate/batch', {
    body: { template_id: template, format: 'pdf', items: [{ data: {} }], options },
  });
const create = async (default_options: object) =>
  gateway.call('POST', '/v1/templates', { body: { name: 'T', html: '<p>', default_options } });

/** Requests that accept the same options, and the path to the options in each. */
const PLACES = [
  ['a generation', '/options', generate],
  ['a batch', '/options', batch],
  ['a template', '/default_options', create],
] as const;

const CUSTOM = { page_size: 'custom', width: '4in', height: '6in' };

describe.each(PLACES)('Options for %s', (_what, pointer, send) => {
  it.each<[object, string, string?]>([
    [{ page_size: 'custom' }, '/width'],
    [{ page_size: 'custom', width: '4in' }, '/height'],
    [{ width: '4in' }, '/width'],
    [{ page_size: 'a4', height: '4in' }, '/height'],
    [{ ...CUSTOM, width: '4cm' }, '/width'],
    [{ ...CUSTOM, width: 4 }, '/width'],
    [{ ...CUSTOM, width: '0in' }, '/width'],
    [{ ...CUSTOM, height: '201in' }, '/height'],
    [{ page_size: 'b5' }, '/page_size'],
    [{ orientation: 'upside-down' }, '/orientation'],
    [{ margins: { left: '1pt' } }, '/margins/left'],
    [{ margins: { middle: '1in' } }, '/margins/middle'],
    [{ margins: '6in' }, '/margins'],
    [{ margins: { left: '5in', right: '5in' } }, '/margins'],
    [{ page_size: 'custom', width: '0.5in', height: '3in' }, '/width'],
    [{ header: { height: '1' } }, '/header/height'],
    [{ header: { enabled: true, height: '11in' } }, '/header/height'],
    [{ footer: { enabled: true, height: '-1in' } }, '/footer/height'],
    [{ footer: { colour: 'red' } }, '/footer/colour'],
    [{ header: { first: true } }, '/header/first'],
    [{ header: { last: 'none' } }, '/header/last'],
    [{ header: { last: { height: '1in' } } }, '/header/last/height'],
    [{ footer: { even: { height: '1in' } } }, '/footer/even/height'],
    [{ footer: { odd: { enabled: false } } }, '/footer/odd/enabled'],
    [{ header: { first: { height: '1' } } }, '/header/first/height'],
    [{ header: { first: { content: 'x'.repeat(16_385) } } }, '/header/first/content', 'header.first'],
    [{ header: { enabled: true, first: { height: '11in' } } }, '/header/first/height'],
    [{ margins: '1in', footer: { enabled: true, first: { height: '9in' } } }, '/footer/first/height'],
    [{ footer: { content: 'x'.repeat(16_385) } }, '/footer/content'],
    [{ scale: 0.09 }, '/scale'],
    [{ scale: 2.01 }, '/scale'],
    [{ tagged: 'yes' }, '/tagged'],
    [{ device_scale: 4 }, '/device_scale'],
    [{ device_scale: 0.5 }, '/device_scale'],
    [{ quality: 101 }, '/quality'],
    [{ colour: true }, '/colour'],
    [{ locale: 'de_DE' }, '/locale'],
    [{ time_zone: 'Berlin' }, '/time_zone'],
    [{ timeZone: 'UTC' }, '/timeZone'],
    [{ page_ranges: '0-2' }, '/page_ranges'],
    [{ conformance: 'a-1b' }, '/conformance'],
    [{ properties: { producer: 'x' } }, '/properties/producer'],
    [{ properties: { title: 'x'.repeat(501) } }, '/properties/title'],
    [{ properties: { keywords: 'a, b' } }, '/properties/keywords'],
    [{ properties: { keywords: Array.from({ length: 21 }, () => 'x') } }, '/properties/keywords'],
    [{ properties: { keywords: ['a', 'x'.repeat(101)] } }, '/properties/keywords/1'],
    [{ properties: { language: 'de_DE' } }, '/properties/language'],
    [{ properties: { language: 'German' } }, '/properties/language'],
  ])('%j return 400 with the path of the field', async (options, member, inner) => {
    const part = inner ?? /^\/(header|footer|properties)\b/.exec(member)?.[1] ?? 'options';
    const response = await send(options);
    expect(response.json()).toMatchObject({
      statusCode: 400,
      details: expect.arrayContaining([{ path: pointer + member, message: expect.any(String), part }]),
    });
  });

  it.each([
    { ...CUSTOM, orientation: 'landscape' },
    { scale: 0.1 },
    { scale: 2 },
    { margins: '0mm' },
    { header: {} },
    { header: { first: false, last: {}, even: { content: '{{page}}' } } },
    { footer: { enabled: true, height: '0mm', first: { height: '40mm' }, odd: false } },
    { locale: 'zh-Hant-TW', time_zone: 'Asia/Taipei' },
    { properties: { title: '{{a}}', keywords: ['{{b}}', ''], language: 'sl-Latn-IT-rozaj-1994' } },
  ])('%j are accepted', async (options) => {
    expect((await send(options)).statusCode).toBeLessThan(300);
  });

  it('return 400 for too much HTML in headers and footers together', async () => {
    const content = 'x'.repeat(16_384);
    const options = { header: { content, first: { content: 'é' } }, footer: { content: content.slice(1) } };
    expect((await send(options)).statusCode).toBeLessThan(300);
    const response = await send({ ...options, footer: { content } });
    const message = 'header and footer together are limited to 32768 characters of HTML';
    const details = [{ path: pointer, message }];
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request', details });
  });

  it.each(['header', 'footer'])('report the position of a syntax error in the %s', async (decoration) => {
    const response = await send({ [decoration]: { enabled: true, content: '<b>\n{{#if x}}' } });
    const message = expect.stringMatching(/is not closed/) as string;
    const details = [{ path: `${pointer}/${decoration}/content`, message }];
    const rejected = { statusCode: 422, code: 'template_does_not_compile', line: 2 };
    expect(response.json()).toMatchObject({ ...rejected, column: 1, details });
    const ofLast = await send({ [decoration]: { last: { content: '\n{{/if}}' } } });
    const path = `${pointer}/${decoration}/last/content`;
    expect(ofLast.json()).toMatchObject({ ...rejected, details: [{ path }] });
    const unknown = await send({ [decoration]: { content: '{{nothing page}}' } });
    expect(unknown.json()).toMatchObject({ line: 1, column: 1, statusCode: 422 });
  });
});

/** Applies a template with these default options, as kubectl does. Returns its ID. */
async function applied(defaultOptions: Template['spec']['defaultOptions']): Promise<string> {
  const name = newId('tpl', new Date());
  const spec = { displayName: 'Applied', html: '<p></p>', ...(defaultOptions && { defaultOptions }) };
  await gateway.kubernetes.resource(TEMPLATE).create({ metadata: { name, namespace: 'acme' }, spec });
  return name;
}

describe('Generation options', () => {
  it('report a syntax error in a document property', async () => {
    const properties = { author: '{{ok}}', keywords: ['{{ok}}', '\n{{#if x}}'] };
    const response = await generate({ properties });
    expect(response.json()).toMatchObject({
      statusCode: 422,
      code: 'template_does_not_compile',
      line: 2,
      details: [{ path: '/options/properties/keywords/1' }],
    });
  });

  it('are rejected for a format that they do not apply to', async () => {
    const body = {
      template_id: template,
      data: {},
      async: true,
      options: { page_ranges: '2-', conformance: 'a-2b' },
    };
    const send = async (format: string) =>
      gateway.call('POST', '/v1/generate', { body: { ...body, format } });
    expect((await send('png')).json()).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      details: ['page_ranges', 'conformance'].map((name) => ({
        path: `/options/${name}`,
        message: 'applies to pdf only',
      })),
    });
    expect((await send('pdf')).statusCode).toBe(202);
  });

  it("reach the job under the resource's field names", async () => {
    const options = {
      ...CUSTOM,
      margins: '1in',
      header: { enabled: true, content: '{{page}}', last: false },
      footer: { height: '9mm', first: { height: '0mm' } },
      print_background: false,
      scale: 1.5,
      tagged: true,
      outline: true,
      locale: 'de-DE',
      time_zone: 'Europe/Berlin',
      properties: { title: 'T', keywords: ['a', 'b'], language: 'de' },
    };
    const { id } = (await generate(options)).json() as { id: string };
    const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);
    const { page_size, print_background, time_zone, ...same } = options;
    expect(job.spec.options).toEqual({
      ...same,
      pageSize: page_size,
      margins: { top: '1in', right: '1in', bottom: '1in', left: '1in' },
      header: { enabled: true, content: '{{page}}', last: { content: '' } },
      printBackground: print_background,
      timeZone: time_zone,
    });
  });

  it('are named as the cause of an unknown locale if they come from a template applied with kubectl', async () => {
    const name = await applied({ locale: 'xx-YY', timeZone: 'UTC' });
    const message = expect.stringContaining('locale must be a known language tag') as string;
    const details = [{ path: '/template_id', message }];
    const rejected = { statusCode: 422, code: 'options_invalid', details };
    expect((await generate({ time_zone: 'UTC' }, name)).json()).toMatchObject(rejected);
    expect((await generate({ locale: 'de-DE' }, name)).statusCode).toBe(202);
  });

  it("are rejected if, together with the template's default options, they leave no printable area", async () => {
    const message = expect.stringMatching(/left and right together leave no room/) as string;
    const rejectedAt = (path: string) => ({ code: 'options_invalid', details: [{ path, message }] });
    const half = (await create({ margins: { left: '5in' } })).json<{ id: string }>().id;
    expect((await generate({}, half)).statusCode).toBe(202);
    const both = await generate({ margins: { right: '4in' } }, half);
    expect(both.json()).toMatchObject({ statusCode: 400, ...rejectedAt('/options/margins/right') });
    const defaultOptions = { margins: { left: '5in', right: '3.5in' } };
    const name = await applied(defaultOptions);
    const alone = await generate({}, name);
    expect(alone.json()).toMatchObject({ statusCode: 422, ...rejectedAt('/template_id') });
    expect((await generate({ margins: '1in' }, name)).statusCode).toBe(202);
    expect((await generate({ ...defaultOptions, orientation: 'landscape' })).statusCode).toBe(202);
  });

  it('are named as the cause of a header syntax error if they come from a template applied with kubectl', async () => {
    const name = await applied({ header: { enabled: true, content: '\n {{/if}}' } });
    expect((await generate({}, name)).json()).toMatchObject({
      statusCode: 422,
      code: 'template_does_not_compile',
      line: 2,
      details: [{ path: '/default_options/header/content' }],
    });
  });
});
