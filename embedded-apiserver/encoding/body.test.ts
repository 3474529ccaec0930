import { expect, it } from 'vitest';
import { decodeBody } from './body.ts';

it('decodeBody does not quote a malformed body, which can contain a secret', async () => {
  await expect(decodeBody('{"token": "s3cret', 'application/json', 'Secret')).rejects.toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('s3cret') as unknown }),
  );
});
