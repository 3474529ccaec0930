import { Parser } from 'htmlparser2';

const PROBE = 'trifold-probe';
/** What ends a text in which no element can begin: a comment, a tag, elements of nothing but text. */
const ENDS = [
  '',
  '>',
  '-->',
  '">',
  "'>",
  ...['style', 'script', 'title', 'textarea', 'iframe', 'noembed', 'noframes', 'noscript', 'xmp'].map(
    (name) => `</${name}>`,
  ),
  ']]>',
];

/**
 * A piece of html with whatever it leaves open closed, so that what is put behind it is not within it. End tags may be
 * left out at the end of a document; a header or a footer is rarely there.
 */
export function closedFragment(html: string): string {
  for (const end of ENDS) {
    const open = openElements(html + end);
    if (open) return html + end + open.map((name) => `</${name}>`).join('');
  }
  return html;
}

/** Names of the elements that are open behind the html, the innermost first; undefined when none could begin there. */
function openElements(html: string): string[] | undefined {
  let probed = false;
  const open: string[] = [];
  const parser = new Parser({
    onopentag: (name) => {
      if (name === PROBE) probed = true;
    },
    onclosetag: (name) => {
      if (probed && name !== PROBE) open.push(name);
    },
  });
  parser.end(`${html}<${PROBE}>`);
  return probed ? open : undefined;
}
