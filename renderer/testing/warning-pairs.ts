import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { fontFile } from './files/font-file.ts';
import { pngPixel } from './files/png.ts';
import type { Order } from './renderer-fixture.ts';

type Content = string | Partial<RevisionContent>;

/** A document with a fault, a similar one without a fault, and the warnings for the first: code, name and line. */
export type WarningPair = readonly [
  faulty: Content,
  sound: Content,
  warnings: readonly string[],
  order?: Order,
];

const PNG = pngPixel();
const FONT = (await fontFile()).toString('base64');
const image = `data:image/png;base64,${PNG}`;
const svg = (content: string) =>
  `<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>${content}</svg>`;
const url = (name: string) => `https://images.example/${name}`;
const wide = '<table style="width:900px"><tr><td>1</td></tr></table>';
const words = 'word '.repeat(60);
const header = (content: string): Order => ({ options: { header: { enabled: true, content } } });
const tagged: Order = { options: { conformance: 'a-2a', properties: { language: 'en', title: 'T' } } };
const json = { customer: { name: 'Ada' }, list: [{ a: 1 }], words: ['a', 'b'], html: "<img src='logo.png'>" };

export const WARNING_PAIRS: Readonly<Record<string, WarningPair>> = {
  'image without a description': [
    `<img src="${image}" alt="A"><p>\n<img class="b" src="${image}"><svg role="img"></svg>`,
    `<img src="${image}" alt=""><img src="${image}" hidden><img src="${image}" role="none"><svg role="img"><title>A</title></svg>`,
    ['alt_missing svg 2', 'alt_missing img.b 2'],
    tagged,
  ],
  'inline drawing': [
    `<svg class="a" width="9" height="9"><rect width="9" height="9"/></svg>\n<b role="img">\u2605</b><meter></meter>`,
    `<svg aria-hidden="true"><path d="M0 0H9V9"/></svg><p aria-hidden="true"><svg><path d="M0 0H9V9"/></svg></p><svg role="none"><path d="M0 0H9V9"/></svg>
      <svg role="img" aria-label="A"><path d="M0 0H9V9"/></svg><svg width="0" height="0"><path d="M0 0H9V9"/></svg><svg><defs><path d="M0 0H9V9"/></defs><text y="9">A</text></svg><b role="img" hidden>\u2605</b>
      <b role="img" aria-label="C">\u2605</b><select><option>A</select><svg><rect role="img" aria-label="A" width="9" height="9"/></svg>`,
    ['alt_missing svg.a 1', 'alt_missing b 2', 'alt_missing meter 2'],
    tagged,
  ],
  'content with a filter': [
    `<div class="a" style="filter: blur(1px)"><p>A</p></div>\n<img class="b" src="${image}" alt="B" style="filter: grayscale(1)"><svg><filter id="f"/><g filter="url(#f)"><text y="9">C</text></g></svg><p class="d" style="-webkit-box-reflect: below 2px">D</p><div style="perspective: 9px"><p class="e" style="transform: rotateY(9deg)">E</p></div>`,
    `<p style="filter: none">A</p><p style="filter: url(#none)">A</p><div style="perspective: 9px"><p style="transform: rotate(9deg)">A</p></div><p style="transform: rotateX(9deg)">A</p><p style="filter: blur(1px)"></p><p style="filter: blur(1px)" aria-hidden="true">A</p><img src="${image}" alt="" style="filter: grayscale(1)">`,
    [
      'alt_missing div.a 1',
      'alt_missing img.b 2',
      'alt_missing g 2',
      'alt_missing p.d 2',
      'alt_missing p.e 2',
    ],
    tagged,
  ],
  'text of style sheets': [
    `<style>.a::before { content: counter(a) } .b::after { content: "x" / "y" }</style><p class="a">A</p>\n<p class="b">B</p>`,
    `<style>p::before { content: "\u2022 " } .a::after { content: "x" / "" }</style><p class="a">A</p><q>A</q>`,
    ['alt_missing p.a 1', 'alt_missing p.b 2'],
    tagged,
  ],
  'skipped heading': [
    '<h1>A</h1>\n<h3>B</h3><h3>C</h3><h2>D</h2><p role="heading" aria-level="4">E',
    '<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2><h6 hidden>E</h6>',
    ['heading_skipped h3 2', 'heading_skipped p 2'],
    tagged,
  ],
  'table without header cells': [
    '<table><caption>A</caption>\n<tr><td>1<td>2</table>\n<table class="b" border="1"><tr><td>1<td>2</table>',
    '<table border="1"><tr><th>1<td>2</table><table border="1"><tr><td>1</table><table><tr><td>1<td>2</table><table border="1" role="presentation"><tr><td>1<td>2</table>',
    ['table_header_missing table 1', 'table_header_missing table.b 3'],
    tagged,
  ],
  'wide drawing': [
    '<svg width="900" height="9"><rect width="9" height="9"></rect></svg>',
    '<svg viewBox="0 0 2000 9" style="width:500px"><rect width="9" height="9"/></svg>',
    ['content_too_wide svg 1'],
  ],
  'wide image': [
    `<img src="${image}" style="width:900px;height:9px">`,
    `<img src="${image}" style="width:90px;height:9px">`,
    ['content_too_wide img 1'],
  ],
  'wide content on a page of CSS': [
    '<style>@page{size:100mm 60mm;margin:4mm}</style><div class="w" style="width:420px">x</div>',
    '<style>@page{size:100mm 60mm;margin:4mm}body{margin:0}</style><svg viewBox="0 0 500 200" style="width:100%"><rect width="9" height="9"/></svg>',
    ['content_too_wide div.w 1'],
  ],
  'fixed text beyond the page': [
    `<div class="f" style="position:fixed;left:0;right:0"><table style="width:900px"><tr><td>a<td align="right">b</table></div>`,
    `<div class="f" style="position:fixed;left:-9999px">${words}</div><p style="position:fixed;right:0">x`,
    ['content_too_wide div.f 1'],
  ],
  'wide beside a drawing': [
    `<svg viewBox="0 0 900 900" width="300" height="300"><rect width="9" height="9"/></svg>${wide}`,
    '<svg viewBox="0 0 900 900" width="300" height="300"><rect width="9" height="9"/></svg><p>x</p>{{{barCode "12345" "code128"}}}',
    ['content_too_wide table 1'],
  ],
  'scaled content': [wide, '<body style="transform:scale(.8)"><p>x</p>', ['content_too_wide table 1']],
  'high box': [
    `<div class="b" style="overflow:hidden;height:40px;width:300px">${words}</div>`,
    `<div class="b" style="overflow:hidden;height:400px;width:300px">${words}</div>`,
    ['content_too_high div.b 1'],
  ],
  'background of a rule': [
    { html: '<p>x', css: `\np{background:url(${url('c.png')})}` },
    {
      html: '<p>x',
      css: `/* p{background:url(${url('c.png')})} */ .unused{background:url(${url('c.png')})}`,
    },
    [`resource_blocked ${url('c.png')} 2`],
  ],
  'background in print': [
    { html: '<p>x', css: `@media print{p{background:url(${url('p.png')})}}` },
    {
      html: '<p>x',
      css: `@media print{b{background:url(${url('p.png')})}}@media screen{p{background:url(${url('p.png')})}}`,
    },
    [`resource_blocked ${url('p.png')} 1`],
  ],
  'image of a list': [
    `<ul style="list-style-image:url(${url('d.png')})"><li>x</ul>`,
    `<ul style="list-style-image:url(${image})"><li>x</ul>`,
    [`resource_blocked ${url('d.png')} 1`],
  ],
  'font elsewhere': [
    { html: '<p>x', css: `@font-face{font-family:F;src:url(${url('f.woff2')})}p{font-family:F}` },
    { html: '<p>x', css: `@font-face{font-family:F;src:url(${url('f.woff2')})}b{font-family:F}` },
    [`resource_blocked ${url('f.woff2')} 1`],
  ],
  'relative image': [
    '\n<img src="logo.png?v=1">',
    '<img src=""><a href="logo.png">x</a>',
    ['resource_blocked logo.png?… 2'],
  ],
  'image below a base': [
    `<base href="${url('')}">\n<img src="b/logo.png"><img src="logo.png">`,
    `<base href="${url('')}"><a href="b/logo.png">x</a>`,
    [`resource_blocked ${url('b/logo.png')} 2`, `resource_blocked ${url('logo.png')} 2`],
  ],
  'image of this machine': [
    '<img src="file:///logo.png">',
    '<p>file:///logo.png',
    ['resource_blocked file:///logo.png 1'],
  ],
  'image without a scheme': [
    '<img src="//cdn.example/a.png">',
    '<p>//cdn.example/a.png',
    ['resource_blocked //cdn.example/a.png 1'],
  ],
  'image with a password': [
    '<img src="//ada:secret@cdn.example/a.png?b">',
    '<p>//ada:secret@cdn.example/a.png?b',
    ['resource_blocked //cdn.example/a.png?… 1'],
  ],
  'image of the template and of the data': [
    '\n<img src="logo.png">{{{html}}}',
    '<p>{{html}}',
    ['resource_blocked logo.png 2'],
    { json },
  ],
  'relative candidate': [
    `<img src="${image}" srcset="${image} 1x,a.png 2x">`,
    `<img src="${image}" srcset="${image} 2x">`,
    ['resource_blocked a.png 1'],
  ],
  'relative style sheet': [
    '<link rel="stylesheet" href="print.css">',
    '<link rel="stylesheet" href="screen.css" media="screen and (color)"><link rel="canonical" href="a"><link rel="icon" href="a.css">',
    ['resource_blocked print.css 1'],
  ],
  'imported style sheet': [
    '<style>@import "a.css" print;</style>x',
    '<style>@import "a.css" screen;@import url(b.css) screen;p{cursor:url(c.cur),auto}</style>x',
    ['resource_blocked a.css 1'],
  ],
  'relative background': [
    { html: '<p>x', css: 'p{background:url("a.png")}' },
    {
      html: '<p>x',
      css: '@media screen{p{background:url("a.png")}} b::after{content:"url(a.png)"} u{fill:url(#a)}',
    },
    ['resource_blocked a.png 1'],
  ],
  'relative font': [
    { html: '<p>x', css: '@font-face{font-family:F;src:url(f.woff2)}' },
    { html: '<p>x', css: `@font-face{font-family:F;src:url(data:font/ttf;base64,${FONT})}` },
    ['resource_blocked f.woff2 1'],
  ],
  sprite: [
    '<svg><use href="sprite.svg#a"/></svg>',
    '<svg><g id="a"/><use href="#a"/></svg>',
    ['resource_blocked sprite.svg 1'],
  ],
  script: [
    '<p>\n<script>1</script>',
    '<script type="application/ld+json">{}</script><!-- <script> -->',
    ['element_unsupported script 2'],
  ],
  'script with a type': [
    '<script type=" text/javascript ; a">1</script>',
    '<script type="text/javascripts">1</script>',
    ['element_unsupported script 1'],
  ],
  'script in an attribute': [
    '<p>\n<b onclick="a()" onload="b()"></b><i onclick="c()"></i>',
    '<p one = 1 onload="" data-onload="a()">only = 1',
    ['element_unsupported script 2'],
  ],
  canvas: ['<canvas id="c"></canvas>', '<textarea><canvas></textarea>', ['element_unsupported canvas 1']],
  frame: [
    '<iframe src="https://a.example"></iframe>',
    '<iframe srcdoc="x"></iframe>',
    ['element_unsupported iframe 1'],
  ],
  video: [
    '<video controls></video>',
    '<template><video></video></template>',
    ['element_unsupported video 1'],
  ],
  sound: ['<audio controls></audio>', '<p>&lt;audio>', ['element_unsupported audio 1']],
  object: [
    '<object data="https://a.example/a.svg"></object>',
    `<object data="data:image/svg+xml,${encodeURIComponent(svg(''))}"></object>`,
    ['element_unsupported object 1'],
  ],
  'plug-in': ['<embed src="a.swf">', `<embed src="${image}">`, ['element_unsupported embed 1']],
  'unescaped #': [
    `<img src="data:image/svg+xml,${svg("<path fill='#fff'/>")}">`,
    `<img src="data:image/svg+xml,${svg("<path fill='%23fff'/>")}">`,
    ['resource_broken data:image/svg+xml 1'],
  ],
  'unescaped # in a style attribute': [
    `<p>\n<p style="background:url(&quot;data:image/svg+xml,${svg("<path fill='#fff'/>")}&quot;)">x`,
    `<p style="background:url(&quot;data:image/svg+xml,${svg("<path fill='%23fff'/>")}&quot;)">x`,
    ['resource_broken data:image/svg+xml 2'],
  ],
  'image that is text': [
    '<img src="data:text/html,a">',
    '<p>data:text/html,a',
    ['resource_broken data:text/html 1'],
  ],
  'image without a comma': [
    '<img src="data:image/png;base64">',
    `<img src="data:image/png;name=a;base64,${PNG}">`,
    ['resource_broken data:image/png;base64 1'],
  ],
  'SVG with a doctype': [
    `<img src="data:image/svg+xml,${svg('<!DOCTYPE svg>')}">`,
    `<img src="data:image/svg+xml,<!DOCTYPE svg [<!ENTITY a 'b'>]>${svg('&amp;a;')}">`,
    ['resource_broken data:image/svg+xml 1'],
  ],
  'SVG without a namespace': [
    "<img src=\"data:image/svg+xml,<svg width='9' height='9'></svg>\">",
    `<img src="data:image/svg+xml;base64,${Buffer.from(svg('<!-- a -->')).toString('base64')}">`,
    ['resource_broken data:image/svg+xml 1'],
  ],
  'image that ends too early': [
    `<img src="data:image/png;base64,${PNG.slice(0, 60)}">`,
    `<img src="data:image/png;base64,${PNG.replaceAll('=', '')}">`,
    ['resource_broken data:image/png;base64 1'],
  ],
  'font that ends too early': [
    { html: '<p>x', css: '\n@font-face{font-family:F;src:url(data:font/woff2;base64,d09GMgABAAAAAAAA)}' },
    { html: '<p>data:font/woff2;base64,d09GMgABAAAAAAAA' },
    ['resource_broken data:font/woff2;base64 2'],
  ],
  'font that is not installed': [
    { html: '<p>Acme Sans', css: '\np{font:12px "Acme Sans", sans-serif}' },
    {
      html: '<p>Acme Sans<u>x</u>',
      css: '@font-face{font-family:Acme Sans;src:local(Acme)}p{font:12px "acme sans"} .a{font-family:Acme}b{font-family:serif, Acme}u{font-family:""}',
    },
    ['font_missing "Acme Sans", sans-serif 2'],
  ],
  'font in a custom property': [
    { html: '<p>x', css: '\n:root{--f:"Acme Sans",serif}p{font-family:var(--f)}' },
    { html: '<p>x', css: ':root{--f:"Acme Sans",serif}b{font-family:var(--f)}' },
    ['font_missing "Acme Sans", serif 2'],
  ],
  'font in a fallback': [
    { html: '<p>x', css: '\np{font-family:var(--f, "Acme Sans", serif)}' },
    { html: '<p>x', css: 'p{--f:serif;font-family:var(--f, "Acme Sans", serif)}' },
    ['font_missing "Acme Sans", serif 2'],
  ],
  'script without letters': ['<p>\u{11d60}', '<!doctype html><p>x', ['glyphs_missing Gunjala Gondi']],
  'object as text': [
    '<p>\n{{customer}} {{#each list}}{{a}}{{/each}}',
    '<p>[object Object] {{words}} {{customer.name}}{{#with customer}}{{name}}{{/with}}',
    ['binding_not_text customer 2'],
    { json },
  ],
  'list of objects as text': [
    '{{list}}',
    '{{words}} {{#if list}}x{{/if}}',
    ['binding_not_text list 1'],
    { json },
  ],
  'lists of objects as text': [
    '{{groups}}',
    '{{pairs}}',
    ['binding_not_text groups 1'],
    { json: { groups: [[1, { a: 1 }]], pairs: [[1, 2]] } },
  ],
  'missing value': [
    '<p>\n{{customer.nmae}}',
    '{{default customer.nmae "x"}}{{#if a}}{{/if}}',
    ['binding_missing customer.nmae 2'],
    { json },
  ],
  'first page that is empty': [
    '<div style="height:100px"></div><div class="b" style="break-inside:avoid;height:960px">x</div>',
    '<div style="break-after:page"></div><div class="b" style="break-inside:avoid;height:960px">x</div>',
    ['page_empty div.b 1'],
  ],
  'missing value in a header': ['x', 'x', ['binding_missing no 2'], header('a\n{{no}}')],
  'relative image in a header': ['x', 'x', ['resource_blocked logo.png 1'], header('<img src="logo.png">')],
  'font that is not installed in a header': [
    'x',
    'x',
    ['font_missing "Acme Sans", serif 1'],
    header('<b style="font-family:Acme Sans,serif">x</b>'),
  ],
  'missing value in a property': [
    'x',
    'x',
    ['binding_missing no'],
    { options: { properties: { title: '{{no}}' } } },
  ],
};
