import { beforeAll, describe, expect, it } from 'vitest';
import { inboxHtml } from './inbox-html.ts';
import { isInlinerTrap, prepareInliner } from './rule-matcher.ts';

beforeAll(prepareInliner);

const inlineCss = (html: string) => inboxHtml(html, '').html;
const page = (css: string, body: string) =>
  `<!DOCTYPE html><html><head><title>T</title><style>${css}</style></head><body>${body}</body></html>`;

describe('inlineCss', () => {
  it('keeps media queries, fonts and states in style elements, with at-rules last', () => {
    const css =
      '@media (max-width: 600px) { p:hover { color: green } } @font-face { font-family: F } p:hover { color: blue } p { color: red }';
    const html = inlineCss(page(css, '<p>x</p>'));
    expect(html).toContain('<p style="color: red;">x</p>');
    const head = html.slice(0, html.indexOf('</head>'));
    expect(head.indexOf('p:hover { color: blue; }')).toBeGreaterThan(0);
    expect(head.indexOf('@media (max-width: 600px)')).toBeGreaterThan(head.indexOf('color: blue'));
    expect(head).toContain('@font-face');
    expect(head.startsWith('<!DOCTYPE html><html><head><title>T</title><style>')).toBe(true);
  });

  it('changes nothing but styles', () => {
    const doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">';
    const head = '<head><!--[if mso]><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml><![endif]--></head>';
    const pieces = [
      '<![if !mso]><b>a</b><![endif]>',
      '<!--[if !mso]><!--><i>b</i><!--<![endif]-->',
      '<!--[if mso]><v:rect fill="t"/><table><tr><td style="width:600px"><![endif]-->',
      `<?xml:namespace prefix="o"?><o:p>&nbsp;</o:p>&copy;&#8203;<A HREF=*|URL|* title='"'>"</A><IMG alt=''/>`,
      '<table>*|IF|*<tr><td>c<td>d</table><%= tag %><div/><br />',
    ];
    const whole = (p: string) => `${doctype}<html>${head}<body>\n${p}${pieces.join('\n')}</body></html>`;
    const html = whole('<style>p{color:red}</style><p class=x>').replace('<html>', '<html xmlns:v="urn:v">');
    const expected = whole('<p class=x style="color: red;">').replace('<html>', '<html xmlns:v="urn:v">');
    expect(inlineCss(html)).toBe(expected);
  });

  it('neither fetches URLs nor reads files', () => {
    const links =
      '<link rel="stylesheet" href="file:///etc/passwd"><link rel="stylesheet" href="http://127.0.0.1:1/x.css">';
    expect(inlineCss(`<html><head>${links}</head><body><p>x</p></body></html>`)).toContain('<p>x</p>');
  });
});

describe('inlineCss with conditional style elements', () => {
  const body = '<p class="a">x</p>';

  it.each([
    ['(prefers-color-scheme: dark)', 'p{color:white}'],
    ['screen and (max-width:600px)', '.a{font-size:30px}'],
    ['print', 'p { color: black'],
    ['print', '@page{margin:0}'],
    ['not screen', 'p } q {'],
  ])('keeps a style element for the media %s unchanged', (media, css) => {
    const own = `<style media="${media}">${css}</style>`;
    const html = inlineCss(`<html><head>${own}<style>p{margin:0}</style></head><body>${body}</body></html>`);
    expect(html).toBe(`<html><head>${own}</head><body><p class="a" style="margin: 0;">x</p></body></html>`);
  });

  it.each(['media', 'media=""', "MEDIA='ALL'", 'media=screen', 'type="text/css" media="print, screen"'])(
    'inlines a style element with %s',
    (attributes) => {
      const html = inlineCss(
        `<style ${attributes}>p{color:red}</style><style type="">p{top:0}</style>${body}`,
      );
      expect(html).toBe(
        '<html><head></head><body><p class="a" style="color: red;top: 0;">x</p></body></html>',
      );
    },
  );

  it('does not move media-specific and non-CSS style elements in the body', () => {
    const styles = '<style media="print">p{color:red}</style><style type="text/less">p{a:b}</style>';
    const outlook = '<!--[if mso]><style media="print"></style><![endif]-->';
    const whole = `<html><head></head><body>${body}${styles}${outlook}</body></html>`;
    expect(inlineCss(whole)).toBe(whole);
  });

  it('ignores style elements inside text', () => {
    const text = '<textarea><style media="print">p{color:}</textarea>';
    expect(inlineCss(`<style>p{color:red;margin:}</style>${text}`)).toContain(text);
  });
});

it.each([
  ['@import url("https://a.example/css?family=A:wght@400;700");', 'p{color:red}', 'all of it'],
  ['@import url(a.css) screen;@layer a, b;', 'p{color:red}', 'all of it'],
  ['/* Base */\n@import "a.css";', '\np{color:red}@media print{q{top:0}}', '@import "a.css";'],
  ['<!-- @import url(a.css);', 'p{color:red} -->', '@import url(a.css);'],
  ['<!--', 'p{color:red}-->', ''],
  // Browsers ignore these.
  ['@charset "utf-8";@namespace url(a);', 'p{color:red}@import "late.css";', ''],
  ['@font-face{font-family:F}', '@import "late.css";p{color:red}', ''],
])(
  'inlineCss with at-rules without a block keeps those that have an effect in a style element, and inlines the rules: %s',
  (before, rules, kept) => {
    const html = inlineCss(page(before + rules, '<p>x</p>'));
    expect(html).toContain('<p style="color: red;">x</p>');
    const sheets = Array.from(html.matchAll(/<style>([^<]*)<\/style>/g), ([, css]) => css);
    const statements = sheets.filter((css) => /@(?:import|layer|charset|namespace)/.test(css ?? ''));
    expect(statements.join()).toBe(kept === 'all of it' ? before : kept);
  },
);

describe('inlineCss cascade', () => {
  it.each([
    [
      'p{background:#123456;background:linear-gradient(red,blue)}',
      '<p>',
      'background: #123456;background: linear-gradient(red,blue);',
    ],
    ['p{color:red;color:blue}', '<p>', 'color: red;color: blue;'],
    // Another rule overrides both, unless some client may not support its value.
    ['p{color:red;color:new(1)}.a{color:#123}', '<p class="a">', 'color: #123;'],
    ['p{color:red}.a{color:new(1)}', '<p class="a">', 'color: red;color: new(1);'],
    ['p{color:red;color:new(1)}', '<p style="color:#123">', 'color: #123;'],
    ['p{color:red}', '<p style="color:#123;color:new(1)">', 'color: #123;color: new(1);'],
    [
      'p{color:red!important;color:new(1)!important}',
      '<p style="color:#123">',
      'color: red !important;color: new(1) !important;',
    ],
    ['.a{color:red!important}#i{color:blue;top:0}', '<p id="i" class="a">', 'color: red !important;top: 0;'],
    ['p{margin:0}', '<p style="margin-left:5px">', 'margin: 0;margin-left: 5px;'],
    ['p{margin:1px}.a{margin-left:2px}.b{margin:3px}', '<p class="b a">', 'margin-left: 2px;margin: 3px;'],
    ['#i,.a{top:0}p.a{top:1px}', '<p id="i" class="a">', 'top: 0;'],
    [
      'p{COLOR:red;color:new(1);--A:1}.a{--a:2;--A:3}',
      '<p class="a">',
      'color: red;color: new(1);--a: 2;--A: 3;',
    ],
    ['p{mso-x:1;-ms-y:z;*zoom:1}', '<p>', 'mso-x: 1;-ms-y: z;*zoom: 1;'],
    [
      'p{/* a;} */background:url(a;b});content:"};"}P.a{top:0}',
      '<p class="a">',
      "background: url(a;b});content: '};';top: 0;",
    ],
    ['p:not(.b,.c){top:0}p{left:0}', '<p class="b">', 'left: 0;'],
    [
      Array.from({ length: 60 }, (_, n) => `${n % 2 ? '.a' : 'p'}{x-${n % 2}: new(${n})}`).join(''),
      '<p class="a">',
      [0, 1]
        .flatMap((part) => Array.from({ length: 30 }, (_, n) => `x-${part}: new(${2 * n + part});`))
        .join(''),
    ],
  ])('keeps what clients apply: %s on %s', (css, tag, style) => {
    const start = tag.replace(/ style=.*/, '').replace('>', '');
    expect(inlineCss(page(css, `${tag}x</p>`))).toContain(`${start} style="${style}">`);
  });

  it.each([
    ['p:empty{top:0}', '<p>', '<p>A paragraph of some length.</p>'],
    ['b > p{top:0}', '</p>More text after the paragraph.<p>', '<p><b>x'],
    ['.a b{top:0}p.c{left:0}', '<b id="i">', '<p class="b a">'],
  ])('matches selectors despite surrounding text and tags: %s', (css, tag, before) => {
    const html = inlineCss(page(css, `${before}${tag}`));
    expect(html).toContain(`${before}${tag.replace(/>$/, ' style="top: 0;">')}`);
  });

  it('keeps fallbacks in rules that stay in a style element', () => {
    expect(inlineCss(page('a:hover{color:red;color:new(1)}', '<a>x</a>'))).toContain(
      '<style>a:hover { color: red; color: new(1); }</style>',
    );
  });

  it('styles elements without a start tag', () => {
    const html = inlineCss('<style>html{top:0}body{left:0}tbody{right:0}</style>a<table><tr><td>b</table>');
    expect(html).toBe(
      '<html style="top: 0;"><head></head><body style="left: 0;">a<table><tbody style="right: 0;"><tr><td>b</table></body></html>',
    );
  });

  it('removes empty style elements', () => {
    const html = inlineCss(
      '<style>p{top:0}</style><body><p>x<style> </style><style>/* c */ p{left:0}</style>',
    );
    expect(html).not.toContain('<style');
  });

  it.each([
    ['fallbacks', `p{${'color:new(1);color:red;'.repeat(50_000)}}`],
    ['open braces', `p{${'{a:b;'.repeat(50_000)}`],
    ['semicolons and comments', `/**/${';/**/'.repeat(100_000)}`],
    ['important marks', `p{color:${'! '.repeat(100_000)}}`],
  ])('reads 100,000 %s in linear time', (_what, css) => {
    expect(inlineCss(page(css, '<p>x</p>'))).toContain('x</p>');
  });
});

describe('inlineCss with declarations that have no effect', () => {
  it.each([
    ['p{color:red}p{color:', 'color: red;'],
    ['p{color:red;;color:}', 'color: red;'],
    ['p{color:red;color: /* none */ ;margin: ! important}', 'color: red;'],
    ['p{--x:;color:red;color:;background:url(a:;b)}', '--x: ;color: red;background: url(a:;b);'],
    [`p{color:;content:"a:;}";font-family:'b:;'}`, `content: 'a:;}';font-family: 'b:;';`],
    ['p{color:;}', ''],
  ])('keeps the declarations that have an effect: %s', (css, style) => {
    expect(inlineCss(page(css, '<p>x</p>'))).toContain(style === '' ? '<p>' : `<p style="${style}">`);
  });

  it.each([
    ['<p style="color:">', 'color: red'],
    [`<p id=a style='font-family:"A";color:;'>`, `font-family: 'A';color: red`],
    ['<p style="width:calc(1px + 2px);color: ">', 'width: calc(1px + 2px);color: red'],
  ])('lets a rule override an empty declaration in a style attribute: %s', (tag, style) => {
    const made = /<p[^>]* style="([^"]*)"/.exec(inlineCss(page('p{color:red}', `${tag}x</p>`)))?.[1] ?? '';
    const parts = (css: string) => css.split(';').filter(Boolean).toSorted();
    expect(parts(made)).toEqual(parts(style));
  });
});

describe('inlineCss with rules that cannot be inlined', () => {
  it.each([
    ['p{&.a{color:red}}', '<p class="a">', '@media all{p{&.a{color:red}}}'],
    [
      'p{margin:0;.b &{color:red} padding:0;@media print{top:0}}',
      '<p class="a" style="margin: 0;padding: 0;">',
      '@media all{p{.b &{color:red}@media print{top:0}}}',
    ],
    ['p{margin:0;&.a{color:rgb(1', '<p class="a" style="margin: 0;">', '@media all{p{&.a{color:rgb(1)}}}'],
    ['p:not([class=a]){color:red}', '<p class="a">', '@media all{p:not([class=a]){color:red}}'],
  ])('keeps nested rules and rules that exclude a class in a style element: %s', (css, tag, kept) => {
    expect(inlineCss(page(css, '<p class="a">x</p>'))).toBe(
      `<!DOCTYPE html><html><head><title>T</title><style>${kept}</style></head><body>${tag}x</p></body></html>`,
    );
  });

  it.each([
    '[class="a"]',
    'p[class]',
    'p[class~="a"]',
    'p:is(.a)',
    'p:hover',
    '> p',
    '[title=1]',
    '[constructor^=a]',
  ])('keeps the selector in a style element: %s', (selector) => {
    const html = inlineCss(page(`${selector} { color: red; }`, '<p class="a">x</p>'));
    expect(html).toContain(`<style>${selector} { color: red; }</style>`);
    expect(html).toContain('<p class="a">x</p>');
  });

  it('does not treat a media query as a nested rule', () => {
    const css = '@media (max-width: 600px) { p { color: green } q:not([class]) { top: 0 } }';
    expect(inlineCss(page(`${css} p{color:red}`, '<p>x</p>'))).toContain(`<style>${css}</style>`);
  });
});

describe('inboxHtml preview text', () => {
  const hidden = /<div style="display:none!important[^"]*">&lt;b&gt; &amp; "c"<\/div>/;

  it('is at the start of the body, escaped and always hidden', () => {
    const { html } = inboxHtml(page('div{display:block!important}', '<p>x</p>'), '<b> & "c"');
    expect(html.replace(hidden, 'PREVIEW')).toContain('<body>PREVIEW<p>x</p></body>');
  });

  it('does not mistake a comment, a style or an attribute for the body', () => {
    const head = '<head><!--<body>--><style media="print">/*<body>*/</style></head>';
    const { html } = inboxHtml(`<html>${head}<body class="a>b" title="<body>">x</body></html>`, '<b> & "c"');
    expect(html.replace(hidden, 'PREVIEW')).toBe(
      `<html>${head}<body class="a>b" title="<body>">PREVIEWx</body></html>`,
    );
  });
});

describe('inlineCss with nested HTML', () => {
  const nested = (depth: number) => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`;
  const failure = (html: string): unknown => {
    try {
      return inlineCss(html);
    } catch (error) {
      return error;
    }
  };

  it('does not count elements with omitted end tags as nested', () => {
    expect(inlineCss(`<ul>${'<li>a'.repeat(5001)}</ul>${'<p>b<br>'.repeat(5001)}`)).toContain('<li>a<li>a');
  });

  it.each([
    ['nested elements', nested(100_000)],
    ['elements that are closed by other end tags', '<b>'.repeat(100_000) + '</i>'.repeat(100_000)],
  ])('rejects 100,000 %s before the inliner runs', (_what, html) => {
    const error = failure(html);
    expect(error).toEqual(expect.objectContaining({ code: 'merge_failed' }));
    expect(isInlinerTrap((error as Error).cause)).toBe(false);
    expect(String(error)).toContain('5001 levels of elements; at most 1400 are allowed');
  });

  it.each([
    '.x td',
    '.x > td',
    'table > tr',
    'table > tbody > .r td',
    'div table b',
    '.x .x > b',
    'P > b',
    'tr',
    'td:last-child',
    'tr:nth-child(even) td',
    'TABLE ~ p b, td + td',
    'tbody, body > :first-child',
    ':root > body td:not(.x)',
    '[align=RIGHT] b, tr[class~="r"], [data-a|=b]',
  ])('finds the elements of %s in the same way as the inliner', (selector) => {
    const row =
      '<tr class="r x"><td align=right><p class="x"><b>a</b></p></td><td class="x" data-a=b-c><b>b</b></td></tr>';
    const html = `<style>${selector} { top: 1px }</style><div class="x"><table>${row}${row}</table><p><b>c</b></p></div>`;
    const [plain] = inboxHtml(html, '').html.split('</body>');
    // Parsers move this element, so the inliner has to find all others.
    expect(inboxHtml(`${html}<i><p></i></p>`, '').html).toContain(plain);
  });
});
