import { expect, it } from 'vitest';
import { withBackstop } from './s3-bucket.ts';

const own = withBackstop(undefined)!.replace(/<\/?LifecycleConfiguration>/g, '');
const others = '<Rule><ID>1</ID><Prefix>x</Prefix></Rule>\n<Rule><ID>2</ID></Rule>';

it.each([
  [
    `<LifecycleConfiguration>${others}</LifecycleConfiguration>`,
    `<LifecycleConfiguration>${others}${own}</LifecycleConfiguration>`,
  ],
  [
    `<?xml version="1.0"?>\n<LifecycleConfiguration xmlns="y">${others}</LifecycleConfiguration>\n`,
    `<?xml version="1.0"?>\n<LifecycleConfiguration xmlns="y">${others}${own}</LifecycleConfiguration>\n`,
  ],
  ['<LifecycleConfiguration/>', `<LifecycleConfiguration>${own}</LifecycleConfiguration>`],
  [
    '<LifecycleConfiguration></LifecycleConfiguration>',
    `<LifecycleConfiguration>${own}</LifecycleConfiguration>`,
  ],
])('The expiration rule in a lifecycle configuration is added to %s', (before, after) => {
  expect(withBackstop(before)).toBe(after);
  expect(withBackstop(after)).toBeUndefined();
});

it('The expiration rule in a lifecycle configuration applies only to documents/, after two days', () => {
  expect(own.match(/<(Prefix|Days)>[^<]*/g)).toEqual(['<Prefix>documents/', '<Days>2']);
});

it.each(['', '<html></html>', '<LifecycleConfiguration><Rule>', 'LifecycleConfiguration'])(
  'The expiration rule in a lifecycle configuration is not added to %j, which is not a lifecycle configuration',
  (text) => {
    expect(() => withBackstop(text)).toThrow('not a lifecycle configuration');
  },
);
