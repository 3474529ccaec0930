import { beforeAll, describe, expect, it } from 'vitest';
import { inlineCss, insertPreheader, prepareInliner } from './inbox-html.ts';

beforeAll(prepareInliner);

const page = (css: string, body: string) =>
  `<!DOCTYPE html><html><head><title>T</title><style>${css}</style></head><body>${body}</body></html>`;

describe('inlining css', () => {
  it('moves rules into style attributes, the stronger over the weaker', () => {
    const css = 'p { color: red; margin: 0 } .a { color: blue } p { margin: 1px }';
    const html = inlineCss(page(css, '<p class="a" style="padding: 2px">x</p>'));
    const style = /<p class="a" style="([^"]*)">x<\/p>/.exec(html)?.[1];
    const declared = Object.fromEntries((style ?? '').split(';').map((one) => one.trim().split(/:\s*/)));
    expect(declared).toMatchObject({ color: 'blue', margin: '1px', padding: '2px' });
    expect(html).not.toContain('<style>');
  });

  it('keeps media queries, fonts and states in style elements, at-rules last', () => {
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

  it('leaves what is meant for Outlook alone', () => {
    const outlook = '<!--[if mso]><table><tr><td style="width:600px"><![endif]-->';
    expect(inlineCss(page('p{color:red}', `${outlook}<p>x</p>`))).toContain(outlook);
  });

  it('fetches nothing and reads no file', () => {
    const links =
      '<link rel="stylesheet" href="file:///etc/passwd"><link rel="stylesheet" href="http://127.0.0.1:1/x.css">';
    expect(inlineCss(`<html><head>${links}</head><body><p>x</p></body></html>`)).toContain('<p>x</p>');
  });

  it('makes a whole page of a piece of html', () => {
    expect(inlineCss('<p>x')).toBe('<html><head></head><body><p>x</p></body></html>');
  });

  it('takes css that is wrong as browsers take it', () => {
    expect(inlineCss(page('p { color: red } } q { ; b { x', '<p>x</p>'))).toContain('style="color: red;"');
  });
});

describe('the preview text', () => {
  it('stands invisible at the head of the body, escaped', () => {
    const html = insertPreheader('<html><head></head><body class="a>b"><p>x</p></body></html>', '<b> & "c"');
    expect(html).toMatch(
      /<body class="a>b"><div style="display:none!important[^"]*">&lt;b&gt; &amp; &quot;c&quot;<\/div><p>x<\/p>/,
    );
  });

  it('is not put where only a comment or a style speaks of a body', () => {
    const before = '<html><head><!--<body>--><style>/*<body>*/</style></head>';
    const html = insertPreheader(`${before}<body>x</body></html>`, 'Hi');
    expect(html.startsWith(`${before}<body><div `)).toBe(true);
  });

  it('leaves the html as it is when there is none', () => {
    expect(insertPreheader('<body>x</body>', '')).toBe('<body>x</body>');
  });
});
