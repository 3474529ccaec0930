import { beforeAll, describe, expect, it } from 'vitest';
import { prepareInliner } from './inbox/rule-matcher.ts';
import type { CompiledEmail, CompileReply, EmailTemplate } from './compile-messages.ts';
import { EmailTemplateCompiler } from './email-template-compiler.ts';

beforeAll(prepareInliner);

const MIB = 2 ** 20;
const attempt = (source: Partial<EmailTemplate>, data: object = {}, maxBytes = MIB): CompileReply =>
  new EmailTemplateCompiler().compile({
    templateKey: 'key',
    source: { subject: 'S', html: '<p>x</p>', ...source },
    data: Buffer.from(JSON.stringify(data)),
    maxBytes,
  });
const compile = (source: Partial<EmailTemplate>, data: object = {}): CompiledEmail => {
  const reply = attempt(source, data);
  if (reply.status !== 'compiled') throw new Error(JSON.stringify(reply));
  return reply.email;
};
const failure = (source: Partial<EmailTemplate>, data: object = {}, maxBytes = MIB) => {
  const reply = attempt(source, data, maxBytes);
  if (reply.status !== 'failed') throw new Error(reply.status);
  return reply.failure;
};

describe('EmailTemplateCompiler', () => {
  const NAME = { name: `<b>Ada</b> & "Co"` };

  it('escapes data in the HTML, but not in the subject or the text', () => {
    const email = compile({ subject: 'For {{name}}', html: '<p>{{name}}</p>', text: 'Dear {{name}}' }, NAME);
    expect(email.subject).toBe('For <b>Ada</b> & "Co"');
    expect(email.text).toBe('Dear <b>Ada</b> & "Co"');
    expect(email.html).toContain('<p>&lt;b&gt;Ada&lt;/b&gt; &amp; &quot;Co&quot;</p>');
  });

  it('removes line breaks in data from the subject and the preheader', () => {
    const evil = { x: 'a\r\nBcc: all@example.org\u0000\u2028b\u0085c\t d' };
    const { subject, preheader } = compile({ subject: ' {{x}}\n', preheader: '{{{x}}}' }, evil);
    expect(subject).toBe('a Bcc: all@example.org b c d');
    expect(preheader).toBe(subject);
  });

  it('derives the text from the HTML if the template has no text or an empty text', () => {
    const html = '<h1>Hi {{name}}</h1><p>Bye</p>';
    expect(compile({ html }, NAME).text).toBe(`Hi <b>Ada</b> & "Co"\n\nBye`);
    expect(compile({ html, text: '' }, NAME).text).toBe(compile({ html }, NAME).text);
    expect(compile({ html }).preheader).toBe('');
  });

  it('omits elements that the CSS hides from the derived text', () => {
    expect(compile({ html: '<p class="no">a</p><p>b</p>', css: '.no { display: none }' }).text).toBe('b');
  });

  it('does not interpret braces in the CSS or in the data as expressions', () => {
    const { html } = compile(
      { html: '<p>{{x}}</p>', css: 'p { content: "{{x}}" }' },
      { x: '{{y}}', y: 'no' },
    );
    expect(html).toContain(`<p style="content: '{{x}}';">{{y}}</p>`);
  });

  it('caches templates and requests uncached ones', () => {
    const compiler = new EmailTemplateCompiler();
    const request = { templateKey: 'a', data: Buffer.from('{"x":1}'), maxBytes: MIB };
    expect(compiler.compile(request)).toEqual({ status: 'template_needed' });
    compiler.compile({ ...request, source: { subject: '{{x}}', html: 'h' } });
    expect(compiler.compile(request)).toMatchObject({ status: 'compiled', email: { subject: '1' } });
    // Two of these could take more than 24 MiB.
    const subject = `{{! ${'x'.repeat(30_000)}}}`;
    for (const templateKey of ['b', 'c'])
      compiler.compile({ ...request, templateKey, source: { subject, html: 'h' } });
    expect(compiler.compile(request)).toEqual({ status: 'template_needed' });
  });

  it("uses each request's locale and time zone in every part of a cached template", () => {
    const compiler = new EmailTemplateCompiler();
    const text = '{{formatDate t "short" time="short"}}';
    const source = { subject: text, preheader: text, html: `<p>${text}</p>`, text };
    const data = Buffer.from('{"t":"2026-11-21T23:30:00Z"}');
    const request = { templateKey: 'a', data, maxBytes: MIB };
    const german = '22.11.26, 00:30';
    compiler.compile({ ...request, source });
    const reply = compiler.compile({ ...request, locale: { locale: 'de-DE', timeZone: 'Europe/Berlin' } });
    expect(reply).toMatchObject({ email: { subject: german, preheader: german, text: german } });
    expect(reply).toMatchObject({ email: { html: expect.stringContaining(`<p>${german}</p>`) } });
    expect(compiler.compile(request)).toMatchObject({ email: { subject: '11/21/26, 11:30 PM' } });
  });
});

describe('EmailTemplateCompiler warnings', () => {
  const found = (source: Partial<EmailTemplate>, data: object = {}) =>
    compile(source, data).warnings.map(({ code, name, part, line, column }) =>
      [code, name, part, line, column].filter((each) => each !== undefined).join(' '),
    );

  it.each<[string, Partial<EmailTemplate>, string[]]>([
    [
      'missing bindings of each part',
      { subject: '{{a}}', preheader: '\n{{b.c}}', html: '<p>{{d}}{{#if e}}{{/if}}</p>', text: 'x {{f}}' },
      [
        'binding_missing a email.subject 1 1',
        'binding_missing b.c email.preheader 2 1',
        'binding_missing d html 1 4',
        'binding_missing f email.text 1 3',
      ],
    ],
    [
      'images without alt',
      { html: '<p>\n<img src="https://e.org/a"><img alt src="cid:a"><img alt="" src="https://e.org/b"></p>' },
      ['alt_missing https://e.org/a html 2 1'],
    ],
    [
      'relative addresses',
      {
        html: '<a href="/a?b&c">A</a><a href="#a"></a><a href="tel:1"></a><a href="*|A|*"></a><a href=""></a><b>',
        css: 'b{background:url(b.png)}p{background:url(c.png)}',
      },
      ['address_relative /a?b&c html 1 4', 'address_relative b.png css 1 18'],
    ],
    [
      'relative addresses of other elements',
      { html: '<img alt srcset="cid:a 1x,a.png 2x"><form action="/f"><button formaction="g"></form>' },
      ['address_relative a.png html 1 10', 'address_relative /f html 1 43', 'address_relative g html 1 63'],
    ],
    [
      'addresses in the data, without them',
      { html: '<a href="{{u}}">A</a><img src="{{u}}" alt=""><img src="https://e.org/{{u}}">' },
      ['address_relative a[href] html', 'address_relative img[src] html', 'alt_missing img html'],
    ],
    [
      'custom properties without a fallback',
      {
        html: '<p>var(--a)</p><b>b</b><i style="top:var(--d)">c</i>',
        css: 'p{--a:1;content:"var(--a)"}b{color:red;color:var(--b);left:var(--c, 1px)}',
      },
      ['css_variable --c css 1 60', 'css_variable --d html 1 38'],
    ],
    [
      'problems in at-rules',
      {
        css: '@media print{b{top:var(--a);left:0;left:var(--b)}@supports (x:y){i{background:url(a.png)}}}@font-face{src:url(b.woff2)}',
      },
      ['css_variable --a css 1 20', 'address_relative a.png css 1 83', 'address_relative b.woff2 css 1 111'],
    ],
    ['HTML that Gmail cuts off', { html: 'ä'.repeat(52_200) }, ['email_clipped html html']],
    ['nothing else', { html: 'a'.repeat(104_000), css: 'p{color:red}' }, []],
  ])('names %s', (_what, source, warnings) => {
    expect(found(source, { u: 'secret/x' })).toEqual(warnings);
  });

  it('returns at most 20 warnings with names of at most 200 characters', () => {
    const html = Array.from({ length: 30 }, (_, index) => `<a href="${index}${'x'.repeat(300)}">a</a>`).join(
      '',
    );
    const { warnings } = compile({ html });
    expect(warnings).toHaveLength(20);
    expect(warnings.at(18)?.name).toBe(`18${'x'.repeat(197)}…`);
    expect(warnings.at(19)?.code).toBe('more_warnings');
  });

  it('does not report bindings for a failed email', () => {
    const compiler = new EmailTemplateCompiler();
    const request = { data: Buffer.from('{}'), maxBytes: MIB };
    const failing = { subject: 's', html: '{{a}}{{formatDate "x"}}' };
    expect(compiler.compile({ ...request, templateKey: 'a', source: failing })).toMatchObject({
      status: 'failed',
    });
    const source = { subject: 's', html: '<p>x</p>' };
    expect(compiler.compile({ ...request, templateKey: 'b', source })).toMatchObject({
      email: { warnings: [] },
    });
  });
});

describe('EmailTemplateCompiler errors', () => {
  it.each(['subject', 'preheader', 'html', 'text'] as const)(
    'reports the line of a syntax error in the %s',
    (part) => {
      const expected = { code: 'template_invalid', part, problem: { line: 2 } };
      expect(failure({ [part]: 'a\n{{#if b}}' })).toMatchObject(expected);
    },
  );

  it.each(['subject', 'preheader', 'html', 'text'] as const)('reports that the %s is too large', (part) => {
    const data = { a: Array.from({ length: 1000 }, () => 'ä') };
    expect(failure({ [part]: '{{#each a}}{{this}}{{/each}}' }, data, 1500)).toEqual({
      code: 'merge_too_large',
      part,
      message: 'it is larger than the limit of 1500 bytes',
    });
  });
});
