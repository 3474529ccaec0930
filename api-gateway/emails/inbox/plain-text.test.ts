import { beforeAll, expect, it } from 'vitest';
import { inboxHtml } from './inbox-html.ts';
import { prepareInliner } from './rule-matcher.ts';
import { plainTextOf } from './plain-text.ts';

beforeAll(prepareInliner);

it.each<[string, string, string]>([
  ['collapses white space', '<p>  Dear \n <b>Ada</b> ,\t hello </p>', 'Dear Ada , hello'],
  ['has an empty line between paragraphs', '<h1>Aß</h1><p>b</p><p>c</p>', 'Aß\n\nb\n\nc'],
  [
    'breaks lines and has one empty line at most',
    '<div>a</div><div>b</div>c<br>d<br><br>e<br><br><br><br>f',
    'a\nb\nc\nd\n\ne\n\nf',
  ],
  ['decodes entities', '<p>a &lt;b&gt; &amp;amp; "c"&nbsp;é 😀</p>', 'a <b> &amp; "c" é 😀'],
  [
    'shows the address after the text of a link',
    '<a href="https://e.org/?a=1&amp;b=2">Read <i>on</i></a>.',
    'Read on (https://e.org/?a=1&b=2).',
  ],
  ['shows the address of a link once', '<a href="https://e.org/">e.org</a>', 'e.org'],
  ['shows an address once, without a subject', '<a href="mailto:a@e.org?subject=x">a@e.org</a>', 'a@e.org'],
  ['shows an email address after a name', '<a href="mailto:a@e.org">Write</a>', 'Write (a@e.org)'],
  [
    'shows no address of links that stay inside the email',
    '<a href="#top">Top</a> <a href="javascript:x()">X</a> <a>Y</a>',
    'Top X Y',
  ],
  [
    'shows the alternative text of a linked image',
    '<a href="https://e.org/a"><img src="x" alt="Our shop"></a>',
    'Our shop (https://e.org/a)',
  ],
  [
    'shows only the address of a linked image without a text',
    'a<a href="https://e.org/a"><img src="x"></a>b',
    'a https://e.org/a b',
  ],
  [
    'separates links that touch',
    '<a href="mailto:x@y.z">x@y.z</a><a href="http://x">http://x</a><b><a href="http://b">C</a></b>, c',
    'x@y.z http://x C (http://b), c',
  ],
  [
    'marks and indents the items of a list',
    '<p>Two:</p><ul><li>one</li><li>two<br>lines</li></ul>x',
    'Two:\n\n- one\n- two\n  lines\n\nx',
  ],
  [
    'numbers the items of an ordered list from its start',
    '<ul><li>a<ol start="9"><li>b</li><li>c</li></ol></li><li>d</li></ul>',
    '- a\n  9.  b\n  10. c\n- d',
  ],
  [
    'numbers from 1 with digits when the start or the type is not usable',
    '<ol start="1e400" type="i"><li>a</li></ol>',
    ' 1. a',
  ],
  ['marks quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
  ['keeps preformatted text', '<pre>a\n  b\n\n  c</pre>', 'a\n  b\n\n  c'],
  ['draws a line for a rule', 'a<hr>b', `a\n\n${'-'.repeat(40)}\n\nb`],
  [
    'has a line for each row of a data table',
    '<table><caption>C</caption><thead><tr><th>Item</th><th>Price</th></tr></thead><tbody><tr><td>A</td><td>1 €</td></tr><tr><td>&nbsp;</td><td>2 €</td></tr></tbody></table>after',
    'C\nItem | Price\nA | 1 €\n| 2 €\n\nafter',
  ],
  [
    'has the cells of a layout table one after the other',
    '<table><tbody><tr><td><p>a</p><p>b</p></td><td>c</td></tr><tr><td><table><tbody><tr><td>d</td><td>e</td></tr></tbody></table></td></tr></tbody></table>',
    'a\n\nb\n\nc\n\nd | e',
  ],
  [
    'keeps columns of empty and spanning cells, and ignores line breaks in cells',
    '<table><tr><th>Item</th><th>Size</th><th>Qty</th></tr><tr><td>Shirt<br>red<div>cotton</div></td><td></td><td>2</td></tr><tr><td rowspan="2">Hat</td><td>M</td><td>&nbsp;</td></tr><tr><td>L</td><td>1</td></tr><tr><td colspan="2">Total</td><td>3</td></tr><tr><td colspan="3">Thank<br>you</td></tr></table>',
    'Item | Size | Qty\nShirt red cotton | | 2\nHat | M |\n| L | 1\nTotal | | 3\nThank\nyou',
  ],
  [
    'omits columns that only make room',
    '<table><tr><td width="20">&nbsp;</td><td>a</td><td></td><td>b</td></tr></table>',
    'a | b',
  ],
  ...[
    '%unsubscribe_url%',
    '*|UNSUB|*',
    '{{{unsubscribe}}}',
    '{{unsubscribe}}',
    '[unsubscribe]',
    '$[LI:UNSUBSCRIBE]$',
    '-unsubscribe-',
    '~Link-62~',
    '%%unsub%%',
    '<%asm_group_unsubscribe_raw_url%>',
    '${unsubscribe}',
    '{% unsubscribe %}',
  ].map((tag): [string, string, string] => [
    `shows ${tag} of a mail provider as an address`,
    `<a href="${tag}">Stop</a> <a href="%20a">A</a> <a href="b/c">B</a>`,
    `Stop (${tag}) A B`,
  ]),
  [
    'has no comments, scripts, styles or hidden elements',
    '<head><title>T</title><style>p{}</style></head><body><!-- c --><!--[if mso]><p>m</p><![endif]--><script>if (a<b) "</p>"</script><div style="color:red; Display : none"><p>x<br></p></div><template><p>t</p></template><p hidden>h</p><i style="visibility: hidden">v</i><div style="max-height:0px;overflow:hidden">m</div><b style="opacity:0">o</b><table><tr style="display: none;"><td>r</td></tr><tr><td style="display:none">d</td><td>seen</td></tr></table></body>',
    'seen',
  ],
  ['is empty when the html shows nothing', '<body></body>', ''],
])('The plain text of an email %s', (_what, html, text) => {
  expect(plainTextOf(html)).toBe(text);
});

it('The plain text of an email is derived from the deepest HTML that the inliner accepts', () => {
  const pairs = [
    ['<blockquote>', '</blockquote>', 1390],
    ['<ul><li>', '</li></ul>', 695],
    ['<table><tr><td>', '</td></tr></table>', 340],
    ['<b><a href="#">', '</a></b>', 695],
  ] as const;
  for (const [open, close, times] of pairs) {
    const html = `${open.repeat(times)}x${close.repeat(times)}`;
    expect(plainTextOf(inboxHtml(html, '').html)).toMatch(/^[> -]*x$/);
  }
});

it('The plain text of an email is derived from malformed HTML', () => {
  expect(plainTextOf('</td></a></ul></pre><a href="<">a < b')).toBe('a < b');
  expect(plainTextOf('<tr><td>a</td></tr><table><form><div>b</div><td>c')).toContain('a');
  expect(plainTextOf('<'.repeat(100_000)).length).toBe(100_000);
});
