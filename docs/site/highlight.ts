const STRING = /(?<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/;
const NUMBER = /(?<literal>\b(?:true|false|null|\d+(?:\.\d+)?)\b)/;
const HASH_COMMENT = /(?<comment>(?<![^\s])#.*)/;

const SHELL = [
  HASH_COMMENT,
  /(?<string>"(?:[^"\\]|\\.)*"|'[^']*')/,
  /(?<name>\$\{?\w+\}?)/,
  /(?<keyword>(?<=\s)--?[a-zA-Z][\w-]*)/,
];
const DATA = [HASH_COMMENT, /(?<name>"[^"\n]*"(?=:)|(?<=^[ -]*)[\w./-]+(?=:(?:\s|$)))/, STRING, NUMBER];
const MARKUP = [
  /(?<comment><!--[^]*?-->|\/\*[^]*?\*\/)/,
  /(?<name>\{\{[^]*?\}\})/,
  /(?<keyword><\/?[\w-]+|\/?>)/,
  /(?<string>(?<==)"[^"]*")/,
];
const PROGRAM = [
  /(?<comment>\/\/.*|(?<![^\s])#.*)/,
  STRING,
  /(?<keyword>\b(?:async|await|class|const|def|else|except|export|for|from|func|function|if|import|in|let|new|not|package|raise|return|throw|try|type|var|with)\b)/,
  NUMBER,
];

const LANGUAGES: Readonly<Record<string, readonly RegExp[]>> = {
  sh: SHELL,
  bash: SHELL,
  json: DATA,
  yaml: DATA,
  css: MARKUP,
  html: MARKUP,
  handlebars: MARKUP,
  go: PROGRAM,
  python: PROGRAM,
  ts: PROGRAM,
};

/**
 * Returns code as HTML, with its comments, strings and names marked. It does not parse the language: the marks only aid
 * reading.
 */
export function highlight(code: string, language: string, escape: (text: string) => string): string {
  const patterns = LANGUAGES[language];
  if (patterns === undefined) return escape(code);
  const found = code.matchAll(new RegExp(patterns.map(({ source }) => source).join('|'), 'gm'));
  let html = '';
  let end = 0;
  for (const match of found) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    html += `${escape(code.slice(end, match.index))}<span class="${kind}">${escape(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escape(code.slice(end));
}
