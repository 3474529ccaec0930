import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownServiceAccount } from './leader-candidate.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = testDirectory();
  file = join(folder, 'token');
});

/** Only the claims of the token are read. */
const write = (claims: unknown) =>
  writeFile(file, `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y\n`);
const serviceaccount = { name: 'trifold-controller', uid: '5c1b' };

describe("A pod's service account", () => {
  it("is read from its token's claims", async () => {
    await write({ 'kubernetes.io': { namespace: 'documents-system', serviceaccount } });
    const expected = { apiVersion: 'v1', kind: 'ServiceAccount', ...serviceaccount };
    expect(ownServiceAccount('documents-system', file)).toEqual(expected);
  });

  it('does not own objects in another namespace', async () => {
    await write({ 'kubernetes.io': { namespace: 'documents-system', serviceaccount } });
    expect(ownServiceAccount('elsewhere', file)).toBeUndefined();
  });

  it.each([[{}], [{ 'kubernetes.io': { namespace: 'documents-system' } }], ['text'], [null]])(
    "is unknown if the token's claims are %j",
    async (claims) => {
      await write(claims);
      expect(ownServiceAccount('documents-system', file)).toBeUndefined();
    },
  );

  it('is unknown if there is no token or it has no claims', async () => {
    expect(ownServiceAccount('documents-system', join(folder, 'nothing'))).toBeUndefined();
    await writeFile(file, 'opaque');
    expect(ownServiceAccount('documents-system', file)).toBeUndefined();
  });
});
