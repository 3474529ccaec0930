import { describe, expect, it } from 'vitest';
import { plainTextOf } from './plain-text.ts';

describe('the text of a letter', () => {
  it.each<[string, string, string]>([
    ['white space as html has it', '<p>  Dear \n <b>Ada</b> ,\t hello </p>', 'Dear Ada , hello'],
    ['paragraphs with an empty line between', '<h1>A</h1><p>b</p><p>c</p>', 'A\n\nb\n\nc'],
    ['lines', '<div>a</div><div>b</div>c<br>d<br><br>e<br><br><br><br>f', 'a\nb\nc\nd\n\ne\n\nf'],
    ['characters that are escaped', '<p>a &lt;b&gt; &amp;amp; "c"&nbsp;é 😀</p>', 'a <b> &amp; "c" é 😀'],
    [
      'a link with where it leads',
      '<a href="https://e.org/?a=1&amp;b=2">Read <i>on</i></a>.',
      'Read on (https://e.org/?a=1&b=2).',
    ],
    ['a link that shows where it leads, once', '<a href="https://e.org/">e.org</a>', 'e.org'],
    ['an address once', '<a href="mailto:a@e.org">a@e.org</a>', 'a@e.org'],
    ['an address behind a name', '<a href="mailto:a@e.org">Write</a>', 'Write (a@e.org)'],
    [
      'a link that leads nowhere outside',
      '<a href="#top">Top</a> <a href="javascript:x()">X</a> <a>Y</a>',
      'Top X Y',
    ],
    [
      'a linked picture by its text',
      '<a href="https://e.org/a"><img src="x" alt="Our shop"></a>',
      'Our shop (https://e.org/a)',
    ],
    [
      'a linked picture without a text',
      'a<a href="https://e.org/a"><img src="x"></a>b',
      'a https://e.org/a b',
    ],
    [
      'links that touch apart',
      '<a href="mailto:x@y.z">x@y.z</a><a href="http://x">http://x</a><b><a href="http://b">C</a></b>, c',
      'x@y.z http://x C (http://b), c',
    ],
    ['lists', '<p>Two:</p><ul><li>one</li><li>two<br>lines</li></ul>x', 'Two:\n\n- one\n- two\n  lines\n\nx'],
    [
      'lists in lists',
      '<ul><li>a<ol start="9"><li>b</li><li>c</li></ol></li><li>d</li></ul>',
      '- a\n  9. b\n  10. c\n- d',
    ],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc'],
    ['what is set out by the author', '<pre>a\n  b\n\n  c</pre>', 'a\n  b\n\n  c'],
    ['rules', 'a<hr>b', 'a\n\n---\n\nb'],
    [
      'tables of data, a row a line',
      '<table><thead><tr><th>Item</th><th>Price</th></tr></thead><tbody><tr><td>A</td><td>1 €</td></tr><tr><td></td><td>2 €</td></tr></tbody></table>after',
      'Item | Price\nA | 1 €\n2 €\n\nafter',
    ],
    [
      'tables for the layout, one cell after the other',
      '<table><tbody><tr><td><p>a</p><p>b</p></td><td>c</td></tr><tr><td><table><tbody><tr><td>d</td><td>e</td></tr></tbody></table></td></tr></tbody></table>',
      'a\n\nb\n\nc\n\nd | e',
    ],
    [
      'nothing that is not seen',
      '<head><title>T</title><style>p{}</style></head><body><!-- c --><!--[if mso]><p>m</p><![endif]--><script>if (a<b) "</p>"</script><div style="color:red; Display : none"><p>x<br></p></div><template><p>t</p></template>seen</body>',
      'seen',
    ],
    ['nothing at all', '<body></body>', ''],
  ])('has %s', (_what, html, text) => {
    expect(plainTextOf(html)).toBe(text);
  });

  it('is made of any html, in one pass', () => {
    expect(plainTextOf('</td></a></ul></pre><a href="<">a < b')).toBe('a < b');
    const deep = '<blockquote>'.repeat(5000) + 'x' + '</blockquote>'.repeat(5000);
    expect(plainTextOf(deep)).toMatch(/^(> )+x$/);
    expect(plainTextOf('<table><tr><td>'.repeat(3000) + 'x')).toBe('x');
    expect(plainTextOf('<'.repeat(100_000)).length).toBe(100_000);
  });
});
