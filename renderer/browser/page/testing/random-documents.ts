import { randomFrom } from '@trifold/test-support/seeded-random.ts';

interface Draws {
  /** Returns an integer from 0 to `count` − 1. */
  readonly below: (count: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(among: readonly T[]) => T;
  /** Returns at most `most` values, in random order, possibly repeated. */
  readonly several: <T>(among: readonly T[], most: number) => T[];
}

const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIABAP8AAP///yH5BAEAAAEALAAAAAABAAEAAAICRAEAOw==';
const POLICIES = ["default-src 'none'", "img-src 'none'", "style-src 'none'", 'sandbox', "font-src 'none'"];

/** Meta elements that a document may contain. Each entry is valid by itself; `scrambled` changes its spelling. */
const META = [
  '<meta charset="utf-8">',
  '<meta charset="koi8-r">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<meta name="viewport" content="width=300, initial-scale=3, user-scalable=no">',
  '<meta name="author" content="A. Author">',
  '<meta name="color-scheme" content="dark">',
  '<meta name="supported-color-schemes" content="light dark">',
  '<meta name="theme-color" content="#f00" media="(prefers-color-scheme: light)">',
  '<meta name="referrer" content="no-referrer">',
  '<meta name="format-detection" content="telephone=no">',
  '<meta name="x-apple-disable-message-reformatting" content="">',
  '<meta name="HandheldFriendly" content="true">',
  '<meta name="MobileOptimized" content="320">',
  '<meta name="text-scale" content="scale">',
  '<meta name="robots" content="noindex">',
  '<meta name="apple-mobile-web-app-capable" content="yes">',
  '<meta name="msapplication-TileColor" content="#0f0">',
  '<meta name="twitter:card" content="summary">',
  '<meta property="og:title" content="Title > text">',
  '<meta itemprop="name" content="x">',
  '<meta http-equiv="content-type" content="text/html; charset=koi8-r">',
  '<meta http-equiv="X-UA-Compatible" content="IE=edge">',
  '<meta http-equiv="Cache-Control" content="no-store">',
  '<meta http-equiv="Pragma" content="no-cache">',
  '<meta http-equiv="Expires" content="0">',
  '<meta http-equiv="imagetoolbar" content="no">',
  '<meta http-equiv="content-language" content="de">',
  '<meta http-equiv="default-style" content="aa">',
  '<meta http-equiv="x-dns-prefetch-control" content="on">',
  '<meta http-equiv="origin-trial" content="x">',
  '<meta http-equiv="accept-ch" content="dpr">',
  ...POLICIES.map((policy) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`),
  '<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src \'none\'">',
];

const REFRESHES = [
  '<meta http-equiv="refresh" content="60;url=about:blank">',
  '<meta http-equiv="refresh" content="0.05;url=about:blank">',
  '<meta http-equiv="refresh" content="0;url=data:text/html,elsewhere">',
];

const RULES = [
  'h1 { color: red; counter-increment: c } h1::before { content: counter(c, upper-roman) }',
  ':root { color-scheme: dark }',
  ':root { font-size: 30px; --v: lime }',
  'html { zoom: 2 }',
  'html { writing-mode: vertical-rl }',
  'html { direction: rtl; background: yellow }',
  '* { color: blue !important }',
  'p { display: none }',
  'a:link { color: lime } a:visited { color: fuchsia } :focus { background: aqua; outline: 5px solid }',
  '@page { size: a5 landscape; margin: 3cm }',
  '@page { margin: 1in; @bottom-center { content: "page " counter(page) } }',
  '@page wide { size: a4 landscape } h1 { page: wide }',
  '@font-face { font-family: X; src: local("DejaVu Sans Mono") } p { font-family: X, serif }',
  '@property --v { syntax: "<color>"; inherits: true; initial-value: red }',
  '@counter-style z { system: cyclic; symbols: x y } li { list-style: z }',
  '@layer a, b; @layer b { p { color: green } } @layer a { p { color: red } }',
  '@media (prefers-color-scheme: dark) { h1 { color: lime } }',
  '@media (max-width: 600px) { h1 { font-size: 60px } }',
  '@media screen { h1 { display: none } }',
  '@import url("data:text/css,h1{text-decoration:underline}");',
  '@namespace svg url(http://www.w3.org/2000/svg); svg|rect { fill: orange }',
  'q { quotes: auto } :lang(de) { color: red } p { hyphens: auto; width: 90px }',
  'body { columns: 2; margin: 1in; orphans: 4 } h1 { break-before: page; string-set: none }',
  ':root { counter-reset: c 7; quotes: "<" ">" } p::before { content: open-quote counter(c) }',
  'div { color: canvastext; background: canvas } a { color: linktext }',
  'h1 { animation: k 1s infinite } @keyframes k { to { opacity: 0 } }',
  ':target { color: red } ::selection { color: red } :root:has(h1) { border: 3px solid }',
  'img { content: url("data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>") }',
];

const HEAD = [
  '<title>A title</title>',
  '<base href="http://elsewhere.example/">',
  '<link rel="stylesheet" href="data:text/css,h1{letter-spacing:9px}">',
  '<link rel="stylesheet" title="aa" href="data:text/css,h1{color:teal}">',
  '<link rel="alternate stylesheet" title="bb" href="data:text/css,h1{display:none}">',
  '<link rel="alternate stylesheet" href="data:text/css,p{display:none}">',
  '<link rel="stylesheet" disabled href="data:text/css,p{color:red}">',
  '<link rel="stylesheet" media="print" href="data:text/css,p{font-weight:bold}">',
  `<link rel="icon" href="${PICTURE}">`,
  `<link rel="preload" as="image" href="${PICTURE}">`,
  '<link rel="preconnect" href="https://elsewhere.example" crossorigin>',
  '<link rel="dns-prefetch" href="//elsewhere.example">',
  '<link rel="canonical" href="http://elsewhere.example/">',
  '<link rel="manifest" href="data:application/json,{}">',
  '<link rel="expect" href="#later" blocking="render">',
  '<script>document.title = "script"</script>',
  '<noscript><style>h1 { font-style: italic }</style></noscript>',
  '<template><style title="cc">h1 { color: red }</style></template>',
];

const TITLES = [...Array.from({ length: 12 }, () => ''), ' title="aa"', ' title="bb"', ' title'];
const STYLE_ATTRIBUTES = [
  '',
  '',
  ' type="text/css"',
  ' media="print"',
  ' media="screen"',
  ' disabled',
  ' id="t"',
];
const BODY_ATTRIBUTES = [
  '',
  ' class="a b" style="margin: 0"',
  ' bgcolor="#ff0"',
  ' text="red"',
  ' link="lime"',
  ' vlink="lime" alink="red"',
  ` background="${PICTURE}"`,
  ' lang="de" dir="rtl"',
  ' topmargin="50" leftmargin="50" marginwidth="40"',
  ' onload="x()" data-text="x" aria-label="link=x"',
];
const STYLED = ' class="dark" style="font-size: 40px"';
const HTML_ATTRIBUTES = ['', '', '', ' lang="en"', ' lang="de" dir="rtl"', STYLED];
const XHTML =
  'PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"';
const DOCTYPES = [
  ...Array.from({ length: 20 }, () => '<!doctype html>'),
  '',
  '',
  `<!DOCTYPE html ${XHTML}>`,
  '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">',
  '<?xml version="1.0"?>',
  '\uFEFF',
];

/** Parts of a body that make the page state visible. */
const SHOWN = [
  '<h1>A heading</h1>',
  '<p style="font-size: 2em">An <a href="rel">unseen</a> and a <a href="about:blank">seen</a> link',
  `<img src="${PICTURE}" width=20 height=20 style="border: 2px solid">`,
  '<div style="color: canvastext; background: canvas">system colours</div>',
  '<p>internationalization of <q>quotes</q> 骨',
  '<ul><li>one<li>two</ul><ol start=3><li>three</ol>',
  '<table width=50% border=1><tr><td>cell<td align=right>1.00</table>',
  '<svg width=50 height=50><rect width=50 height=50 fill="url(#g)"/></svg>',
  '<svg width=40 height=40><defs><linearGradient id=g><stop stop-color=red></linearGradient></defs><circle r=20 fill="url(#g)"/></svg>',
  '<p id=t style="width: 100">an unitless width, <span id=later>later</span>',
  '<input value=typed><select><option>a<option selected>b</select><progress value=.5></progress>',
  '<iframe srcdoc="<h1>inside</h1>" width=90 height=60></iframe>',
  '<details open name=d><summary>s</summary>open</details><dialog open>dialog</dialog>',
  '<div style="break-before: page">a second page</div>',
  '<div style="position: fixed; bottom: 0; right: 0">fixed</div><div style="height: 1500px">high</div>',
  '<math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
  '<p style="color: var(--v, purple); counter-increment: c">variable</p>',
];

/**
 * Parts of a body that may leave state or swallow what follows. Some change over time, so still documents do not
 * contain them.
 */
const LITTER = [
  '<object data="data:text/html,x"><embed src="data:text/html,y"></object>',
  '<iframe srcdoc="&lt;meta http-equiv=refresh content=&quot;0;url=about:blank&quot;&gt;"></iframe>',
  '<iframe src="data:text/html,<meta http-equiv=Content-Security-Policy content=sandbox>" name=f></iframe>',
  '<video autoplay src="data:video/mp4;base64,AAAA"></video><canvas></canvas><marquee>m</marquee>',
  '<svg><animate attributeName=x from=0 to=100 dur=1s repeatCount=indefinite /><style>rect { fill: red }</style></svg>',
  '<svg><style title="aa">h1 { color: red }</style><a xlink:href="x"><text>t</text></a></svg>',
  '<div><template shadowrootmode="open"><style title="dd">p { color: red }</style><slot></slot></template></div>',
  '<form id=f><input name=n value=typed autofocus><button popovertarget=t>b</button></form><a name=top></a>',
  '<frameset cols=50%,50%><frame src="data:text/html,x"><frame src="about:blank"></frameset>',
  '<map name=m><area href=x></map><div popover>p</div><h1 id=t contenteditable autofocus>x</h1>',
  '<body text=red>',
  '<html lang=de dir=rtl>',
  '<plaintext>',
  '<p style="font-family: X; view-transition-name: v; anchor-name: --a">names</p>',
];

/** Text that can hide a tag from a parser that differs from a browser's. */
const BLINDS = [
  '<style x"></style>',
  `<style x'></style>`,
  '<style media="></style>',
  '<link x">',
  '<meta x">',
  '<meta name="author" content=">',
  '<body x">',
  '<p title=">',
  `<p title='<!--'>`,
  '<p x"y=\'>',
  '<!--',
  '<!-->',
  '<!--x--!>',
  '<!x">',
  '</x y=">',
  '<?x ">',
  '<title>"</title>',
  '<textarea>',
  '<xmp>',
  '<noscript>',
  '<noembed></noembed>',
  '<select>',
  '<svg><![CDATA[',
  '<svg><desc>',
  '<math><mtext>',
  '<style><!--</style>',
  '<script><!--<script></script>',
  '<template>',
  '<<',
  '<\0',
  '</',
  '<head>',
  '</head>',
  '</html>',
];

/** Alternative spellings of a tag; browsers read most of them the same way. */
const REWRITES: readonly ((tag: string, random: Draws) => string)[] = [
  (tag) => tag.toUpperCase().replace(/="[^"]*"/g, (value) => value.toLowerCase()),
  (tag, { pick }) => tag.replaceAll(' ', pick(['\n', '\t', '\f', '\r\n', '  ', '/', ' / ', '\u00A0', '\v'])),
  (tag) => tag.replaceAll(/"([^"' ;<>]+)"/g, '$1'),
  (tag) => tag.replaceAll(/="([^"']*)"/g, `='$1'`),
  (tag) => tag.replaceAll(/="([^"]*)"/g, ' = "$1"'),
  (tag) => tag.replace('>', ' />'),
  (tag) => tag.replace('>', '/>'),
  (tag) => tag.replace('>', ''),
  (tag, { pick }) => tag.replace(/^<(\w)/, (_, letter: string) => `<${pick(['\0', '/', ' ', '!'])}${letter}`),
  (tag, { pick }) =>
    tag.replace(/^<\w\w/, (start) => `${start}${pick(['\0', '\u0130', '\u017F', '\u212A', '\n'])}`),
  (tag, { pick }) =>
    tag.replace(/^<\w+/, (name) => `${name}${pick([' x"', ` y='`, ' =', ' <', ' "', ' ='])}`),
  (tag, { pick }) =>
    tag.replace(/^<\w+/, (name) => `${name}${pick([' name="author"', ' content="x"', ' title=x'])}`),
  (tag) => tag.replace(/="(\w)/, (_, letter: string) => `="&#${letter.charCodeAt(0)};`),
  (tag) => tag.replaceAll('" ', '"'),
  (tag) => tag.replace(/="([^"]*)"/, (_, value: string) => `="${value}${' '.repeat(5000)}"`),
];

/** Returns random choices that depend only on the seed. */
function drawsFrom(seed: number): Draws {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const pick = <T>(among: readonly T[]): T => among[below(among.length)] as T;
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    several: (among, most) => Array.from({ length: below(most + 1) }, () => pick(among)),
  };
}

/**
 * Returns a document that depends only on the seed. A still document always looks the same on a new page: nothing in it
 * moves, and it does not navigate.
 */
export function randomDocument(seed: number, { still = false } = {}): string {
  const draws = drawsFrom(seed);
  const { pick, chance, several, below } = draws;
  const style = () =>
    `<style${pick(STYLE_ATTRIBUTES)}${pick(TITLES)}>${several(RULES, 3).join('\n')}</style>`;
  const part = (among: readonly string[]) => {
    const text = chance(0.4) ? style() : pick(among);
    const written = chance(0.12) ? pick(REWRITES)(text, draws) : text;
    return chance(0.08) ? pick(BLINDS) + (chance(0.5) ? pick(META) : written) : written;
  };
  const parts = (...lists: (readonly string[])[]) =>
    Array.from({ length: below(3) }, () => part(pick(lists))).join(chance(0.3) ? '' : '\n');
  const meta = still ? META : [...META, ...REFRESHES];
  const head = parts(meta, HEAD, HEAD);
  const body = chance(0.4) ? '' : parts(still ? SHOWN : LITTER, SHOWN, SHOWN, meta, HEAD);
  const focus = chance(0.1) ? '<input autofocus>' : '';
  const shown = several(SHOWN, 8).join('\n') + focus;
  const bodyTag = chance(0.4) ? `<body${pick(BODY_ATTRIBUTES)}>` : '';
  const htmlTag = chance(0.7) ? `<html${pick(HTML_ATTRIBUTES)}><head>` : '';
  return [pick(DOCTYPES), htmlTag, head, bodyTag, ...(chance(0.5) ? [body, shown] : [shown, body])].join('');
}
