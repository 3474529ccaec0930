import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeContent, describeIfAbsent, describeMetadata } from './conformance/content-conformance.ts';
import { describeDeleting, describeListing, describeKeys } from './conformance/listing-conformance.ts';
import { StoreFixture, type StoreUnderTest } from './conformance/store-fixture.ts';

/** Conformance tests for every adapter of ObjectStore. `create` is called for each test. */
export function describeObjectStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an object store`, () => {
    const fixture = new StoreFixture(create);
    beforeEach(() => fixture.begin());
    afterEach(() => fixture.end());

    describeContent(fixture);
    describeIfAbsent(fixture);
    describeMetadata(fixture);
    describeKeys(fixture);
    describeListing(fixture);
    describeDeleting(fixture);

    it('is ready', async () => {
      await expect(fixture.store.check()).resolves.toBeUndefined();
    });
  });
}
