import { describe, expect, it } from 'vitest';
import { insertStylesheet, styleElement } from './stylesheet.ts';

describe('The position of the stylesheet', () => {
  it.each([
    ['at the end of the head', '<head><title>t</title>#</head><body>b'],
    ['before a body whose head was never closed', '<head><title>t</title>#<body>b'],
    ['before a body without a head', '<!doctype html><html>#<body class="x">b'],
    ['after an open head without a body', '<html><head>#<p>b'],
    ['after html without a head', '<html lang="de">#<p>b'],
    ['after a doctype alone', '<!DOCTYPE html>#\n<p>b'],
    ['in uppercase and lowercase tags', '<HEAD>#</HEAD><BODY>'],
    ['not into a comment', '<!-- </head> --><head>#</head>'],
    ['not into a comment of the template', '{{!-- </head> --}}{{! <body> }}<head>#</head>'],
    [
      'not into a script, a style or a title',
      '<script>"</head>"</script><style>/*<body>*/</style><title></head></title>#</head>',
    ],
    ['not into an expression inside a tag', '<html class="{{#if (a)}}>{{/if}}" {{> x}}>#<p>'],
    ['after a tag with an extra quote', '<html lang="de>#<p>b'],
    ['not after an unclosed tag', '<html lang="de" <head>#</head>'],
    ['not into any expression', '{{x "</head>"}}<head>#</head>'],
    ['not before a tag whose name only starts with body', '<head>#</head><bodyguard>'],
  ])('is correct: %s', (_, expected) => {
    expect(insertStylesheet(expected.replace(/(?<!\{)#/, ''), '#')).toBe(expected);
  });

  it('is in a new head if there is no html element', () => {
    expect(insertStylesheet('<h1>x</h1>', '#')).toBe(
      '<!doctype html><html><head><meta charset="utf-8">#</head><body><h1>x</h1></body></html>',
    );
  });

  it.each([
    '<!--',
    '<!--a-->',
    '<html ',
    '<html "\'',
    '<html {{',
    '<html "{{',
    '<html {{a}}',
    '{{',
    '{{!',
    '{{~!--',
    '{{!--a--}}',
    '<script>',
    '<script></script',
  ])('is found quickly even if the template has many %s', (part) => {
    expect(insertStylesheet(part.repeat(300_000), '#')).toContain('#');
  });
});

it.each(['</style>', '</STYLE >', '</style\n>', '<\\/style></style'])(
  'A style element is not closed by %s in the CSS',
  (css) => {
    const element = styleElement(`a::after { content: "${css}" } b {}`);
    expect(element.match(/<\/style/gi)).toHaveLength(1);
    expect(element.endsWith('</style>')).toBe(true);
  },
);
