import type { Claims } from './identity-provider.ts';
import type { Grant } from './oidc-config.ts';

/** Returns the first grant that fits the claims of a person. */
export function grantFor(claims: Claims, grants: readonly Grant[]): Grant | undefined {
  return grants.find(({ claim, value }) => isTrusted(claim, claims) && hasValue(claims[claim], value));
}

/** Until an email address is verified, anybody can enter it at the provider. Some providers send booleans as strings. */
function isTrusted(claim: string, { email_verified: verified }: Claims): boolean {
  return claim !== 'email' || (verified !== false && verified !== 'false');
}

function hasValue(claim: unknown, value: string): boolean {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.some((each) => each === value || (typeof each === 'number' && String(each) === value));
}
