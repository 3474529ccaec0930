import { expect, it } from 'vitest';
import { AttachmentPacker, type EncodedAttachment } from './attachment-packer.ts';

const attachment = (base64: Uint8Array<ArrayBuffer>): EncodedAttachment => ({
  filename: 'a',
  mimeType: 'text/plain',
  relationship: 'data',
  base64,
});
const valid = () => attachment(Buffer.alloc(4, 'AAAA'));

it('A packer replies to each call, and packs again after its thread fails', async () => {
  const packer = new AttachmentPacker();
  const invalid = attachment(Buffer.alloc(4, '*'));
  const calls = [[valid()], [valid(), invalid], []].map((each) => packer.pack(each));
  expect(await Promise.all(calls)).toMatchObject([
    { sha256: expect.stringMatching(/^\w{64}$/) as unknown },
    { invalid: 1 },
    { bytes: new Uint8Array(Buffer.from('\0\0\0\u0002[]')) },
  ]);
  const broken = { ...valid(), mimeType: 1n as unknown as string };
  const failing = [packer.pack([broken]), packer.pack([valid()])];
  for (const each of failing) await expect(each).rejects.toMatchObject({ code: 'unavailable' });
  expect(await packer.pack([valid()])).toHaveProperty('bytes');
});
