import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeContent } from './conformance/content-conformance.ts';
import { describeDeleting } from './conformance/deleting-conformance.ts';
import { describeIfAbsent } from './conformance/if-absent-conformance.ts';
import { describeKeys } from './conformance/keys-conformance.ts';
import { describeListing } from './conformance/listing-conformance.ts';
import { describeMetadata } from './conformance/metadata-conformance.ts';
import { StoreWorld, type StoreUnderTest } from './conformance/store-world.ts';

/** What every adapter of ObjectStore must do. `create` is called for each test. */
export function describeObjectStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an object store`, () => {
    const world = new StoreWorld(create);
    beforeEach(() => world.begin());
    afterEach(() => world.end());

    describeContent(world);
    describeIfAbsent(world);
    describeMetadata(world);
    describeKeys(world);
    describeListing(world);
    describeDeleting(world);

    it('says that it is there', async () => {
      await expect(world.store.check()).resolves.toBeUndefined();
    });
  });
}
