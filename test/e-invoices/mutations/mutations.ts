import { CATEGORY_MUTATIONS } from './category-mutations.ts';
import { CONTENT_MUTATIONS } from './content-mutations.ts';
import { DERIVED_MUTATIONS } from './derived-mutations.ts';
import { GERMAN_MUTATIONS } from './german-mutations.ts';
import type { Mutation } from './mutation.ts';
import { PEPPOL_MUTATIONS } from './peppol-mutations.ts';

/** At least one mutation for each rule that a generated invoice can break. */
export const MUTATIONS: readonly Mutation[] = [
  ...DERIVED_MUTATIONS,
  ...CONTENT_MUTATIONS,
  ...CATEGORY_MUTATIONS,
  ...GERMAN_MUTATIONS,
  ...PEPPOL_MUTATIONS,
];
