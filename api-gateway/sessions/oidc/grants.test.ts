import { expect, it } from 'vitest';
import { grantFor } from './routes.ts';
import type { Grant } from './oidc-config.ts';

const EMAIL: Grant = { claim: 'email', value: 'boss@example.com', account: 'acme', scopes: ['usage:read'] };

it.each([
  [true, false, true],
  ['true', false, true],
  [undefined, false, false],
  [false, false, false],
  ['false', false, false],
  [undefined, true, true],
  [false, true, true],
])('a grant for an email with email_verified %s, allowed unverified %s: %s', (verified, allowed, fits) => {
  const isVerified = verified !== undefined && { email_verified: verified };
  const claims = { sub: 'boss', email: 'boss@example.com', ...isVerified };
  const grant = grantFor(claims, { grants: [EMAIL], allowUnverifiedEmail: allowed });
  expect(grant).toBe(fits ? EMAIL : undefined);
});
