import { describe, expect, it } from 'vitest';
import { insertStylesheet, styleElement } from './stylesheet.ts';

describe('a stylesheet goes', () => {
  it.each([
    [
      'at the end of the head',
      '<head><title>t</title></head><body>b',
      '<head><title>t</title>#</head><body>b',
    ],
    [
      'before a body whose head was never closed',
      '<head><title>t</title><body>b',
      '<head><title>t</title>#<body>b',
    ],
    [
      'before a body without a head',
      '<!doctype html><html><body class="x">b',
      '<!doctype html><html>#<body class="x">b',
    ],
    ['behind an open head without a body', '<html><head><p>b', '<html><head>#<p>b'],
    ['behind html without a head', '<html lang="de"><p>b', '<html lang="de">#<p>b'],
    ['behind a lone doctype', '<!DOCTYPE html>\n<p>b', '<!DOCTYPE html>#\n<p>b'],
    ['whatever the case', '<HEAD></HEAD><BODY>', '<HEAD>#</HEAD><BODY>'],
    ['not into a comment', '<!-- </head> --><head></head>', '<!-- </head> --><head>#</head>'],
    [
      'not into a comment of the template',
      '{{!-- </head> --}}{{! <body> }}<head></head>',
      '{{!-- </head> --}}{{! <body> }}<head>#</head>',
    ],
    [
      'not into a script, a style or a title',
      '<script>"</head>"</script><style>/*<body>*/</style><title></head></title></head>',
      '<script>"</head>"</script><style>/*<body>*/</style><title></head></title>#</head>',
    ],
    [
      'not into an expression inside a tag',
      '<html class="{{#if (a)}}>{{/if}}" {{> x}}><p>',
      '<html class="{{#if (a)}}>{{/if}}" {{> x}}>#<p>',
    ],
    ['not before what only begins like a body', '<head></head><bodyguard>', '<head>#</head><bodyguard>'],
  ])('%s', (_, html, expected) => {
    expect(insertStylesheet(html, '#')).toBe(expected);
  });

  it('into a head that it brings along, when there is no html at all', () => {
    expect(insertStylesheet('<h1>x</h1>', '#')).toBe(
      '<!doctype html><html><head><meta charset="utf-8">#</head><body><h1>x</h1></body></html>',
    );
  });

  it.each([
    '<!--'.repeat(50_000),
    '<html '.repeat(50_000),
    '<html "\''.repeat(50_000),
    '{{'.repeat(50_000),
    '<script>'.repeat(20_000),
  ])('somewhere, soon, however odd the template', (html) => {
    expect(insertStylesheet(html, '#')).toContain('#');
  });
});

describe('a style element', () => {
  it.each(['</style>', '</STYLE >', '</style\n>', '<\\/style></style'])(
    'is not ended by %s in the css',
    (css) => {
      const element = styleElement(`a::after { content: "${css}" } b {}`);
      expect(element.match(/<\/style/gi)).toHaveLength(1);
      expect(element.endsWith('</style>')).toBe(true);
    },
  );
});
