import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ListDecoder } from './list-decoder.ts';

async function decoded(json: string, pieceBytes: number): Promise<{ items: unknown[]; outline: unknown }> {
  const items: unknown[] = [];
  const decoder = new ListDecoder((item) => items.push(item));
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += pieceBytes)
    await decoder.push(bytes.subarray(at, at + pieceBytes));
  return { items, outline: decoder.end() };
}

const items = [
  {},
  { a: 'x"}]\\', 'b\\"': ['é', { items: [1] }, -0.5, null], c: '\\\\' },
  { items: '[', d: { e: [[], {}] } },
];

it.each([
  ['as the embedded API server writes it', { kind: 'L', items, metadata: { resourceVersion: '7' } }],
  ['as Kubernetes writes it', { kind: 'items', apiVersion: 'v1', metadata: { continue: 'items' }, items }],
  ['with other lists', { 'a"b': [{ items: [{}] }], kind: '\\', items, rows: [{ x: 1 }] }],
  ['without items', { kind: 'L', items: [], metadata: {} }],
  ['with null for items', { items: null, more: [[1]] }],
])('returns the items and the rest of a list %s, split anywhere', async (_, list) => {
  for (const json of [JSON.stringify(list), JSON.stringify(list, null, 2)])
    for (const size of [1, 2, 3, 7, 1000])
      expect(await decoded(json, size)).toEqual({
        items: list.items ?? [],
        outline: { ...list, items: list.items && [] },
      });
});

it.each(['', '<html>', '{"items":[{', '{"items":[{"a":}]}', '{"items":[{}'])('rejects %j', async (json) => {
  await expect(decoded(json, 4)).rejects.toThrow(SyntaxError);
});

it('lets other work run between large items', async () => {
  const large = 'x'.repeat(600_000);
  const order: string[] = [];
  const decoder = new ListDecoder(() => order.push('item'));
  const pushed = decoder.push(Buffer.from(JSON.stringify({ items: [{ large }, { large }, { large }] })));
  void (async () => {
    for (let turn = 0; turn < 2000 && order.filter((step) => step === 'item').length < 3; turn += 1) {
      order.push('turn');
      await nextTurn();
    }
  })();
  await pushed;
  expect(order.join(' ')).toMatch(/^item turn (turn )*item turn (turn )*item/);
});

it('parses the small items of a piece in one turn while a list of large items is read', async () => {
  const order: string[] = [];
  const read = async (name: string, count: number, length: number) => {
    const item = { large: 'x'.repeat(length) };
    const json = JSON.stringify({ items: Array.from({ length: count }, () => item) });
    await new ListDecoder(() => order.push(name)).push(Buffer.from(json));
  };
  await Promise.all([read('large', 3, 600_000), read('small', 50, 10)]);
  expect(order).toEqual(['large', ...Array<string>(50).fill('small'), 'large', 'large']);
});
