import { describe, expect, it } from 'vitest';
import { SealingKey, WebhookKeys } from './sealed-secret.ts';

const OWNER = { accountUid: '6d7f1ed6-7bbd-4ac6-9a0c-0a64f4a4f7a5', endpoint: 'account' };
const OLD = 'old-'.repeat(8);
const NEW = 'new-'.repeat(8);

const sealingKeyOf = async (text: string) => (await new WebhookKeys([text]).sealingKey())!;

describe('A sealed secret', () => {
  it('opens with the private key of its public key, and does not contain the secret', async () => {
    const published = await SealingKey.parse((await sealingKeyOf(OLD)).text);
    const sealed = await published.seal('whsec_a', OWNER);
    expect(sealed).toEqual({ keyId: expect.stringMatching(/^[\da-f]{16}$/), ciphertext: expect.any(String) });
    expect(Buffer.from(sealed.ciphertext, 'base64').toString('latin1')).not.toContain('whsec_a');
    expect(await published.seal('whsec_a', OWNER)).not.toEqual(sealed);
    expect(await new WebhookKeys([OLD]).open(sealed, OWNER)).toBe('whsec_a');
  });

  it.each([
    ['another endpoint', { ...OWNER, endpoint: 'hook-1' }],
    ['another account', { ...OWNER, accountUid: '6d7f1ed6-7bbd-4ac6-9a0c-0a64f4a4f7a6' }],
  ])('does not open for %s', async (_what, owner) => {
    const sealed = await (await sealingKeyOf(OLD)).seal('whsec_a', OWNER);
    expect(await new WebhookKeys([OLD]).open(sealed, owner)).toBeUndefined();
  });

  it('does not open after a change or if it is not a ciphertext', async () => {
    const sealed = await (await sealingKeyOf(OLD)).seal('whsec_a', OWNER);
    const bytes = Buffer.from(sealed.ciphertext, 'base64');
    for (const index of [0, 40, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(index) ^ 1, index);
      const ciphertext = changed.toString('base64');
      expect(await new WebhookKeys([OLD]).open({ ...sealed, ciphertext }, OWNER)).toBeUndefined();
    }
    for (const ciphertext of ['', 'AAAA', 'no base64!']) {
      expect(await new WebhookKeys([OLD]).open({ ...sealed, ciphertext }, OWNER)).toBeUndefined();
    }
  });

  it('opens with the previous key while the newest key seals', async () => {
    const sealed = await (await sealingKeyOf(OLD)).seal('whsec_a', OWNER);
    const rotated = new WebhookKeys([NEW, OLD]);
    expect((await rotated.sealingKey())?.id).toBe((await sealingKeyOf(NEW)).id);
    expect(await rotated.open(sealed, OWNER)).toBe('whsec_a');
    expect(await new WebhookKeys([NEW]).open(sealed, OWNER)).toBeUndefined();
    expect(await new WebhookKeys([NEW]).has(sealed.keyId)).toBe(false);
  });

  it('opens if another process sealed it with the same key, in any release', async () => {
    const sealed = {
      keyId: '5e2a8089fb10b074',
      ciphertext: 'JN3vj6ylPpMqnjfW3YIcGHKLSv+OGd7lpTWXuxGJAkiS24pr45mJVbfeCGJU5LS5pyI7fE7PJgXLwkAt',
    };
    expect(await new WebhookKeys([OLD]).open(sealed, OWNER)).toBe('whsec_pinned');
  });
});
