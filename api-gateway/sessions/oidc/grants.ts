import type { Claims } from './identity-provider.ts';
import type { Grant, OidcConfig } from './oidc-config.ts';

/** Returns the first grant that fits the claims of a person. */
export function grantFor(
  claims: Claims,
  { grants, allowUnverifiedEmail }: Pick<OidcConfig, 'grants' | 'allowUnverifiedEmail'>,
): Grant | undefined {
  const hasEmail = allowUnverifiedEmail || isEmailVerified(claims);
  return grants.find(({ claim, value }) => (claim !== 'email' || hasEmail) && hasValue(claims[claim], value));
}

/** Until an email address is verified, anybody can enter it at the provider. Some providers send booleans as strings. */
function isEmailVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true';
}

function hasValue(claim: unknown, value: string): boolean {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.some((each) => each === value || (typeof each === 'number' && String(each) === value));
}
