import { describe, expect, it } from 'vitest';
import { loadGatewayProcessConfig } from '../../config.ts';
import { loadOidcConfig } from './oidc-config.ts';

const GRANT = { claim: 'groups', value: 'designers', account: 'documents', scopes: ['templates:read'] };
const COMPLETE = {
  TRIFOLD_OIDC_ISSUER: 'https://login.example.com/realms/docs',
  TRIFOLD_OIDC_CLIENT_ID: 'trifold',
  TRIFOLD_OIDC_CLIENT_SECRET: 'a secret',
  TRIFOLD_OIDC_GRANTS: JSON.stringify([GRANT]),
  TRIFOLD_PUBLIC_URL: 'https://docs.example.com',
};

describe('loadOidcConfig', () => {
  it('reads a complete configuration', () => {
    expect(loadOidcConfig(COMPLETE)).toMatchObject({
      issuer: new URL('https://login.example.com/realms/docs'),
      clientId: 'trifold',
      clientSecret: 'a secret',
      scopes: 'openid profile email',
      grants: [GRANT],
      allowUnverifiedEmail: false,
      publicUrl: new URL('https://docs.example.com'),
    });
    expect(loadOidcConfig({})).toBeUndefined();
    const allowing = { ...COMPLETE, TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: 'true' };
    expect(loadOidcConfig(allowing)).toMatchObject({ allowUnverifiedEmail: true });
  });

  it('names every setting that is missing', () => {
    expect(() => loadOidcConfig({ TRIFOLD_OIDC_ISSUER: 'https://login.example.com' })).toThrow(
      /CLIENT_ID is missing.*CLIENT_SECRET is missing.*GRANTS is missing.*PUBLIC_URL is missing/s,
    );
    const store = { TRIFOLD_S3_ENDPOINT: 'http://s3.example.com' };
    expect(() => loadGatewayProcessConfig({ ...store, ...COMPLETE })).toThrow(
      'TRIFOLD_SESSION_SECRET is missing',
    );
  });

  it.each([
    ['TRIFOLD_OIDC_ISSUER', 'http://login.example.com', 'must be an https URL'],
    ['TRIFOLD_OIDC_ISSUER', 'https://ada:secret@login.example.com', 'must be an https URL'],
    [
      'TRIFOLD_PUBLIC_URL',
      'https://docs.example.com/dashboard',
      'must be the address without a path, such as https://docs.example.com, not "https://docs.example.com/dashboard": the service does not work below a path prefix',
    ],
    ['TRIFOLD_PUBLIC_URL', 'docs.example.com', 'must be an https URL'],
    ['TRIFOLD_OIDC_SCOPES', 'profile', 'must be words separated by spaces'],
    ['TRIFOLD_OIDC_GRANTS', 'groups=designers', 'must be JSON'],
    ['TRIFOLD_OIDC_GRANTS', '[]', 'is invalid: must not have fewer than 1 items'],
    ['TRIFOLD_OIDC_GRANTS', JSON.stringify([GRANT, { ...GRANT, scopes: ['x'] }]), 'is invalid at 1.scopes.0'],
    ['TRIFOLD_OIDC_GRANTS', JSON.stringify([{ ...GRANT, download: 'account' }]), 'is invalid at 0'],
  ])('rejects %s=%s', (name, value, problem) => {
    expect(() => loadOidcConfig({ ...COMPLETE, [name]: value })).toThrow(`${name} ${problem}`);
  });

  it('allows plain http on this machine', () => {
    const local = {
      TRIFOLD_OIDC_ISSUER: 'http://localhost:3000',
      TRIFOLD_PUBLIC_URL: 'http://127.0.0.1:8080',
    };
    expect(loadOidcConfig({ ...COMPLETE, ...local })?.issuer.port).toBe('3000');
  });
});
