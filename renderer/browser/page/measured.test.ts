import { beforeAll, expect, it } from 'vitest';
import { sharedBrowser } from '../../testing/browser/test-browser.ts';
import { RendererFixture } from '../../testing/renderer-fixture.ts';

/** Names of all properties of an expression's value, own and inherited. */
const namesOf = (expression: string) => `(() => {
  const names = new Set();
  for (let at = ${expression}; at; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
})()`;

const fixture = RendererFixture.forSuite({ browsers: 1 });
let wide = '';
let pushed = '';

beforeAll(async () => {
  const { connection } = await sharedBrowser();
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const { targetInfo } = await connection.send('Target.getTargetInfo', { targetId });
  const session = await connection.createSession(targetInfo);
  const evaluate = async (expression: string) => {
    const { result } = await session.send('Runtime.evaluate', { expression, returnByValue: true });
    return result.value as string[];
  };
  const ofForm = await evaluate(namesOf("document.createElement('form')"));
  const ofDocument = await evaluate(namesOf('document'));
  const ofWindow = await evaluate('Object.getOwnPropertyNames(window)');
  await connection.send('Target.closeTarget', { targetId });
  expect(ofForm).toEqual(expect.arrayContaining(['cloneNode', 'classList', 'getBoundingClientRect', 'id']));
  expect(ofDocument).toEqual(
    expect.arrayContaining(['body', 'documentElement', 'fonts', 'querySelectorAll']),
  );
  const controls = ofForm.map((name) => `<input type="hidden" name="${name}">`).join('');
  const named = [
    ...ofDocument.map((name) => `<form name="${name}"></form><img name="${name}" alt="">`),
    ...ofWindow.map((name) => `<a id="${name}"></a>`),
  ].join('');
  wide = `<!doctype html><style>@font-face { font-family: Own; src: local(Own) }</style>
    <form class="wide" style="width: 900px">${controls}
      <div style="overflow: hidden; height: 20px; width: 100px">${'word '.repeat(60)}</div>
      <svg width="40" height="40"><circle r="20"/></svg></form>${named}`;
  pushed = `<!doctype html><body style="margin: 0"><div style="height: 300px"></div>
    <form class="block" style="break-inside: avoid; height: 900px; font-family: Missing">${controls}Text</form>${named}`;
});

it.each([
  ['pdf', 'live', () => wide, ['content_too_wide form.wide', 'content_too_high header']],
  [
    'pdf',
    'test',
    () => wide,
    ['content_too_wide form.wide', 'content_too_high div', 'content_too_high header'],
  ],
  ['pdf', 'test', () => pushed, ['page_empty form.block', 'font_missing Missing', 'content_too_high header']],
  ['docx', 'live', () => wide, []],
  ['png', 'test', () => pushed, ['font_missing Missing']],
] as const)(
  'A document with elements named like all DOM properties completes with its warnings: %s, %s',
  async (format, mode, htmlOf, expected) => {
    const html = htmlOf();
    const header = { enabled: true, height: '20px', content: `<form><input name="dataset"></form>${wide}` };
    const { warnings } = await fixture.complete({ html }, { format, mode, options: { header } });
    expect(warnings.map(({ code, name }) => `${code} ${name}`)).toEqual(expected);
  },
);
