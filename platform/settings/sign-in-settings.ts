import type { Settings } from './setting.ts';
import { json, oidcScopes, secureOrigin, secureUrl } from './setting-forms.ts';
import { anyText, flag, secret } from './setting-types.ts';

/** Sign-in to the dashboard. */
export const SIGN_IN = {
  TRIFOLD_SESSION_SECRET: {
    type: secret,
    shown: 'none; the standalone process generates it',
    doc: 'Secret of at least 32 characters that encrypts dashboard sessions; never printed. All gateways must have the same value. Without it, sign-in is disabled. Changing it ends all sessions.',
    computedFrom: 'dashboard.existingSecret',
  },
  TRIFOLD_OIDC_ISSUER: {
    type: secureUrl,
    doc: 'HTTPS URL of the OpenID Connect issuer with which users sign in to the dashboard. It serves `/.well-known/openid-configuration`. If you set it, the settings for the client, the grants and the public URL are required, and in a cluster also the session secret.',
    chart: { value: 'dashboard.oidc.issuer', note: 'Empty: users sign in with API keys only.' },
  },
  TRIFOLD_OIDC_CLIENT_ID: {
    type: anyText,
    doc: 'Client ID at the identity provider.',
    chart: { value: 'dashboard.oidc.clientId' },
  },
  TRIFOLD_OIDC_CLIENT_SECRET: {
    type: anyText,
    doc: 'Client secret; never printed.',
    computedFrom: 'dashboard.oidc.existingSecret',
  },
  TRIFOLD_OIDC_SCOPES: {
    type: oidcScopes,
    default: 'openid profile email',
    doc: 'Scopes to request from the identity provider, separated by spaces. Some providers require an additional scope for groups.',
    chart: { value: 'dashboard.oidc.scopes' },
  },
  TRIFOLD_OIDC_GRANTS: {
    type: json,
    doc: 'Permissions for users who sign in, as a JSON list of objects with the fields `claim`, `value`, `account`, `scopes` and optionally `type` and `downloads` ([setup](run/oidc.md)). The first matching grant applies; users without a grant cannot sign in.',
    computedFrom: 'dashboard.oidc.grants',
  },
  TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: {
    type: flag,
    default: 'false',
    doc: '`true`: grants with the `email` claim also match addresses that the identity provider has not verified (`email_verified`). Set it only if users cannot choose their address at the provider.',
    chart: { value: 'dashboard.oidc.allowUnverifiedEmail' },
  },
  TRIFOLD_PUBLIC_URL: {
    type: secureOrigin,
    doc: 'Address of the service as users see it in the browser, for sign-in with OpenID Connect, such as `https://docs.example.com`, without a path: [path prefixes](run/ingress.md#path-prefixes) are not supported. The redirect URI of the client is `/dashboard/sign-in/callback` at this address, and its post-logout redirect URI is `/dashboard/`.',
    chart: { value: 'dashboard.oidc.publicUrl' },
  },
} as const satisfies Settings;
