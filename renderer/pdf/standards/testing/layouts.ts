import { pngPixel } from '../../../testing/files/png.ts';
import type { TestDocument } from '../../../testing/render-document.ts';

const image = `data:image/png;base64,${pngPixel()}`;
const BLEND_MODES = [
  'multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion',
  'hue saturation color luminosity plus-lighter',
].flatMap((line) => line.split(' '));

/** HTML documents with features that print templates use and PDF/A restricts, by name. */
const BODIES: Readonly<Record<string, string>> = {
  'Arabic and Hebrew': '<p dir="rtl" lang="ar">مرحبا بالعالم 123</p><p dir="rtl" lang="he">שלום עולם</p>',
  ligatures:
    '<p>office ffi ﬁ <span style="font-variant: small-caps">Small</span> <span style="font-feature-settings: \'frac\', \'dlig\'">1/2 st</span>',
  'blend modes': BLEND_MODES.map((mode) => `<b style="mix-blend-mode: ${mode}; background: #f80">a</b>`).join(
    '',
  ),
  filters: `<p style="filter: blur(3px)">a</p><p style="filter: drop-shadow(2px 2px 2px red)">b</p>
    <img src="${image}" width="40" height="40" style="filter: grayscale(1) invert(0.2)" alt="c">`,
  masks: `<p style="mask-image: linear-gradient(#000, transparent); background: red">a</p>
    <div style="-webkit-mask-image: radial-gradient(#000, #0008)"><h1>h <a href="https://example.com">i</a></h1><ul><li>j</ul><p style="opacity: 0.5">k
    <span style="mask-image: linear-gradient(#000, transparent)">l <b style="opacity: 0.9">m</b></span></p><table border="1"><tr><th>n<td>o</table></div>
    <img src="${image}" width="40" height="40" alt="p" style="mask-image: linear-gradient(#000, transparent)">
    <svg aria-label="q"><mask id="r"><rect width="9" height="9" fill="#fff"/></mask><g mask="url(#r)"><text y="9">s</text></g></svg>
    <p style="clip-path: circle()">b</p><p style="background: linear-gradient(red, blue) text; color: transparent">c</p>`,
  gradients: `<p style="background: conic-gradient(red, blue)">a</p><p style="background: radial-gradient(red, #00f8)">b</p>
    <p style="background: repeating-linear-gradient(45deg, red 0 3px, transparent 3px 6px)">c</p>`,
  'nested opacity': `${'<div style="opacity: 0.9; overflow: hidden; transform: rotate(1deg)">'.repeat(60)}x`,
  shadows: `<p style="box-shadow: inset 0 0 5px red; text-shadow: 1px 1px 3px red">a</p>
    <p style="text-decoration: underline wavy red; -webkit-text-stroke: 1px red">b</p>`,
  'synthetic fonts':
    '<p style="letter-spacing: 3px; font-style: oblique 20deg; font-weight: 900; text-align: justify">bold oblique text</p>',
  drawings: `<p>a<svg width="9" height="9"><title>b</title><path d="M0 0H9V9"/><rect width="3" height="3"/></svg></p>
    <a href="https://example.com"><svg role="img" aria-label="c"><image href="${image}" width="9" height="9"/><text y="9">d</text></svg></a>
    <svg><title>g</title><a href="#x"><rect width="9" height="9"/></a></svg><div role="img" aria-label="h"><svg><use href="#p"/></svg></div>
    <span role="img" aria-label="i" style="outline: 1px solid red">j</span><embed src="${image}" title="k"><object data="${image}" title="l"></object>
    <svg aria-label="e" opacity=".5"><g transform="scale(2)" opacity=".5"><line x2="9" y2="9" stroke="red"/></g></svg>
    <svg><title>f</title><circle r="9" fill="none" stroke="red" clip-path="circle()"/></svg><svg><path id="p" d="M0 0H9V9"/></svg>`,
  controls: `<input value="v"><input type="checkbox" checked><select><option>o</select><progress value="0.4"></progress>
    <meter value="0.5"></meter><input type="range"><textarea>t</textarea><input type="password" value="abc">`,
  frames: `<iframe srcdoc="<p>in</p>"></iframe><svg width="200" height="50"><text y="20" textLength="150">svg</text>
    <foreignObject width="50" height="50"><p>f</p></foreignObject></svg>`,
  'links and anchors': `<a href="#x">in</a><a href="https://example.com/ü?a=(1)&b=\\">out</a><a href="javascript:1">j</a>
    <a href="file:///etc/passwd">f</a><p style="break-before: page" id="x">t`,
  'structure of HTML': `<ul><li>a<ul><li>b<p>c</ul></ul><dl><dt>t<dd>d</dl><figure><figcaption>c</figcaption></figure>
    <blockquote><p>q</blockquote><article><section><nav>n</nav></section></article><aside>a</aside><code>c</code>
    <div role="heading" aria-level="9">h</div><div role="doc-footnote">f</div><del>d</del><sub>s</sub><em>e</em>
    <strong>s</strong><fieldset><legend>l</legend></fieldset><search>s</search><q>q</q><abbr title="t">a</abbr>`,
  'elements in other places': `<ul><li>a</li><p>b</p><div><li>c</li></div></ul><ol><li role="doc-endnote">d <a href="#x" role="doc-backlink">e</a></ol>
    <table border="1"><caption><h1>f</h1><p>g</caption><tr><th>h<td><dl><div><dt>i<dd>j</div></dl></table>
    <details open><summary>k</summary><p>l</details><p><ruby>m<rp>(</rp><rt>n</rt><rp>)</rp></ruby>`,
  'tables in tables': `<table border="1"><thead><tr><th rowspan="2">a<th colspan="2">b<tr><th>c<th>d</thead><tr><td rowspan="2">1<td>2<td>
    <tr><td><table border="1"><tr><th>x<th>y<tr><td><td>z</table><td><ul><li>5</ul><tfoot><tr><td colspan="3">6</table>
    <div style="display: contents"><table border="1" style="direction: rtl"><tr style="display: contents"><th>e<th><tr><td><td>f</table></div>`,
  'links with other roles': [
    'button',
    'none',
    'presentation',
    'heading',
    'menuitem',
    'tab',
    'doc-noteref',
    'cell',
  ]
    .map((role) => `<a role="${role}" href="https://example.com/${role}">${role} ${'long '.repeat(40)}</a>`)
    .join(' '),
  'links around blocks': `<a href="https://example.com"><h1>a</h1><ul><li>b</ul><img src="${image}" alt="c"></a><a href="https://example.com/d"
    style="display: block; height: 9px; background: red"></a><svg><text y="9">e</text><a href="#x"><text y="20">f</text></a></svg>`,
  'columns and fixed parts': `<div style="position: fixed; top: 0"><svg aria-label="a" width="9" height="9"><rect width="9" height="9"/></svg>
    <a href="https://example.com">b</a></div><div style="columns: 2; direction: rtl"><h1>c</h1>${'<p>text '.repeat(60)}</div>
    <div style="display: flex; flex-direction: row-reverse"><h1>d</h1><h1>e</h1></div><div style="writing-mode: vertical-rl">f</div>`,
  'replaced content': `<style>.a { content: url("${image}") }</style><p class="a">a</p><picture><source srcset="${image}"><img alt="b"></picture>
    <object data="none.pdf"><p>c</object><p hidden>d<p aria-hidden="true">e<p inert>f<p style="opacity: 0">g<p>h`,
  'a formula': '<math><mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac><mo>∑</mo></math>',
  'a table with spans': `<table><caption>c</caption><thead><tr><th scope="col">a<th colspan="2">b</thead>
    <tr><td rowspan="2">1<td>2<td>3<tr><td>4<td>5<tfoot><tr><td>f</table>`,
  'rows that do not exist': `<table border="1"><thead><tr><th rowspan="3">a<th>b</thead><tbody><tr><td rowspan="0">1<td>2<tr><td>3
    <tr><td rowspan="9">4</table><table border="1"><tr><th>c<th rowspan="2">d</table>`,
  'items without a list': `<div>a<li>b</li><li>c<ul><li>d</ul></li>e</div><li>f</li><p role="listitem">g<table border="1"><tr><th>h<td><li>i</table>
    <ul><div><li>j</div></ul><section><li>k<p>l</section>`,
  'content off the page': `<p>a</p><svg aria-label="b" style="position: absolute; left: -9999px"><rect width="9" height="9"/></svg>
    <div role="img" aria-label="c" style="position: absolute; top: -500px">d</div><img alt="e" src="${image}" style="position: absolute; left: -9999px">
    <p style="filter: blur(1px); position: absolute; left: -9999px">f</p><h1 style="position: absolute; left: -9999px">g</h1>`,
  'format characters': '<p>a\u00ad\u200b\u200d\u2060b \u2028 \u202e x \t y</p>',
  'a huge box': '<p style="position: absolute; left: 30000000px">far<p style="font-size: 9999px">B',
  'margin boxes': '<style>@page { @bottom-center { content: counter(page) " / " counter(pages) } }</style>x',
  'a blank page': '<div style="height: 20in">',
  'an empty document': '',
};

const footer = { enabled: true, content: '<b>{{page}}</b>', first: { content: '<i>x</i>' } };

/** Documents that print and conform, by name. */
export const CONFORMING: Readonly<Record<string, TestDocument>> = {
  ...Object.fromEntries(Object.entries(BODIES).map(([name, html]) => [name, { html }])),
  'mixed page sizes': {
    html: '<style>@page wide { size: a3 landscape } .w { page: wide }</style><p>a<p class="w">b<p>c',
    options: { footer, pageRanges: '1-2' },
  },
  'an outline': { html: '<h1>One</h1><h2>Two ünï</h2><h4>Skip</h4>', options: { outline: true } },
  'properties with markup': {
    html: 'x',
    options: { properties: { title: '<&>]]> \u0001 \\ (é) 🦄', author: 'A & B', keywords: ['a', '<b>'] } },
  },
};

/** Why some documents, here or in other tests' samples, are inaccessible and cannot be PDF/UA, by name. */
export const INACCESSIBLE: Readonly<Record<string, RegExp>> = {
  'a table with spans': /row 4 of a table does not have 3 columns.*table/,
  filters: /screen readers would skip text or an image with a CSS filter, .*: p/,
  frames: /screen readers would skip the content of a frame.*: iframe/,
};
