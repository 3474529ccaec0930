import { describe, expect, it } from 'vitest';
import { decodeBody } from './body.ts';

describe('decodeBody', () => {
  it.each([
    ['{"a":', 'application/json', 400],
    ['', 'application/json', 400],
    ['[]', 'application/json', 400],
    ['null', undefined, 400],
    ['{}', 'application/yaml', 415],
    [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'application/json', 400],
    ['{}', 'text/plain', 415],
    ['{}', 'application/vnd.kubernetes.protobuf', 415],
  ])('rejects %s sent as %s with %d', async (text, type, code) => {
    await expect(decodeBody(text, type, 'Template')).rejects.toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code }) as unknown }),
    );
  });

  it('does not quote a malformed body, which can hold a secret', async () => {
    await expect(decodeBody('{"token": "s3cret', 'application/json', 'Secret')).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('s3cret') as unknown }),
    );
  });
});
