import { Type, type Static } from 'typebox';
import { Errors } from 'typebox/value';
import { KEY_MODES, SCOPES, StringEnum } from '@trifold/crds';
import { loadProxies } from '@trifold/platform/outbound/proxies.ts';
import {
  ConfigError,
  readSettings,
  readTogether,
  type Environment,
} from '@trifold/platform/settings/read-settings.ts';

/** Permissions for users with this claim value. */
const Grant = Type.Object(
  {
    claim: Type.String({ minLength: 1, maxLength: 200 }),
    value: Type.String({ minLength: 1, maxLength: 1000 }),
    /** Namespace of the account. */
    account: Type.String({ pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 }),
    scopes: Type.Array(StringEnum(SCOPES), { minItems: 1, uniqueItems: true }),
    type: Type.Optional(StringEnum(KEY_MODES)),
    downloads: Type.Optional(StringEnum(['key', 'account'])),
  },
  { additionalProperties: false },
);
export type Grant = Static<typeof Grant>;

const Grants = Type.Array(Grant, { minItems: 1, maxItems: 200 });

/** User sign-in with OpenID Connect. */
export type OidcConfig = NonNullable<ReturnType<typeof loadOidcConfig>>;

const REQUIRED = {
  issuer: 'TRIFOLD_OIDC_ISSUER',
  clientId: 'TRIFOLD_OIDC_CLIENT_ID',
  clientSecret: 'TRIFOLD_OIDC_CLIENT_SECRET',
  grants: 'TRIFOLD_OIDC_GRANTS',
  publicUrl: 'TRIFOLD_PUBLIC_URL',
} as const;

/**
 * Reads TRIFOLD_OIDC_… and TRIFOLD_PUBLIC_URL. Returns undefined if no issuer is set. Throws ConfigError with all
 * problems.
 */
export function loadOidcConfig(environment: Environment) {
  const [settings, grants, proxies] = readTogether([
    () =>
      readSettings(environment, {
        ...REQUIRED,
        scopes: 'TRIFOLD_OIDC_SCOPES',
        allowUnverifiedEmail: 'TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL',
      }),
    () => loadGrants(environment),
    () => loadProxies(environment),
  ]);
  const { issuer, clientId, clientSecret, publicUrl } = settings;
  if (issuer && clientId !== undefined && clientSecret !== undefined && publicUrl && grants) {
    return Object.freeze({ ...settings, issuer, clientId, clientSecret, publicUrl, grants, proxies });
  }
  const needed = Object.values(REQUIRED);
  const missing = needed.filter((name) => !environment[name]);
  if (missing.length === needed.length) return undefined;
  throw new ConfigError(missing.map((name) => `${name} is missing: sign-in with OpenID Connect requires it`));
}

/** In order of precedence. */
function loadGrants(environment: Environment): readonly Grant[] | undefined {
  const { grants } = readSettings(environment, { grants: 'TRIFOLD_OIDC_GRANTS' });
  if (grants === undefined) return undefined;
  const [problem] = Errors(Grants, grants);
  if (problem === undefined) return grants as Grant[];
  const { instancePath, message, params } = problem;
  const at = instancePath === '' ? '' : ` at ${instancePath.slice(1).replaceAll('/', '.')}`;
  throw new ConfigError([`TRIFOLD_OIDC_GRANTS is invalid${at}: ${message} ${JSON.stringify(params)}`]);
}
