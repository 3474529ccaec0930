import { Type, type Static } from 'typebox';
import { Errors } from 'typebox/value';
import { KEY_MODES, SCOPES, StringEnum } from '@trifold/crds';
import {
  ConfigError,
  flag,
  plainText,
  readSettings,
  type Environment,
  type SettingParser,
} from '@trifold/platform/service/config.ts';
import { isLoopback } from '../same-origin.ts';

/** What people with a claim of this value may do. */
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

/** Sign-in of people with OpenID Connect. */
export interface OidcConfig {
  /** Identity provider. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes of OpenID Connect that are requested, separated by spaces. */
  readonly scopes: string;
  /** In order of precedence. */
  readonly grants: readonly Grant[];
  /** Whether a grant may match an email address that the provider does not call verified. */
  readonly allowUnverifiedEmail: boolean;
  /** Origin of the dashboard as browsers see it. */
  readonly publicUrl: URL;
}

type Settings = { readonly [Name in keyof OidcConfig]: OidcConfig[Name] | undefined };

/** TRIFOLD_OIDC_… and TRIFOLD_PUBLIC_URL. Returns undefined without an issuer. Throws ConfigError with all problems. */
export function loadOidcConfig(environment: Environment): OidcConfig | undefined {
  const settings = readSettings<Settings>(environment, {
    issuer: { variable: 'TRIFOLD_OIDC_ISSUER', parse: issuer, fallback: undefined },
    clientId: { variable: 'TRIFOLD_OIDC_CLIENT_ID', parse: plainText, fallback: undefined },
    clientSecret: { variable: 'TRIFOLD_OIDC_CLIENT_SECRET', parse: plainText, fallback: undefined },
    scopes: { variable: 'TRIFOLD_OIDC_SCOPES', parse: oidcScopes },
    grants: { variable: 'TRIFOLD_OIDC_GRANTS', parse: grants, fallback: undefined },
    allowUnverifiedEmail: { variable: 'TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL', parse: flag },
    publicUrl: { variable: 'TRIFOLD_PUBLIC_URL', parse: publicUrl, fallback: undefined },
  });
  const needed = {
    TRIFOLD_OIDC_ISSUER: settings.issuer,
    TRIFOLD_OIDC_CLIENT_ID: settings.clientId,
    TRIFOLD_OIDC_CLIENT_SECRET: settings.clientSecret,
    TRIFOLD_OIDC_GRANTS: settings.grants,
    TRIFOLD_PUBLIC_URL: settings.publicUrl,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === Object.keys(needed).length) return undefined;
  if (missing.length > 0) {
    throw new ConfigError(missing.map((name) => `${name} is missing: sign-in with OpenID Connect needs it`));
  }
  return settings as OidcConfig;
}

const issuer: SettingParser<URL> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isSecure(url) && url.href === url.origin + url.pathname) return url;
  throw new RangeError(`must be an https URL such as https://login.example.com, not ${JSON.stringify(text)}`);
};

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

const publicUrl: SettingParser<URL> = (text) => {
  const url = issuer(text);
  if (url.pathname === '/') return url;
  throw new RangeError(
    `must be the address without a path, such as https://docs.example.com, not ${JSON.stringify(text)}`,
  );
};

const oidcScopes: SettingParser<string> = (text) => {
  if (text.split(' ').includes('openid')) return text;
  throw new RangeError(
    `must be words with spaces between them, one of them openid, not ${JSON.stringify(text)}`,
  );
};

const grants: SettingParser<readonly Grant[]> = (text) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RangeError('must be JSON, a list of {"claim", "value", "account", "scopes"}');
  }
  const [problem] = Errors(Grants, value);
  if (problem === undefined) return value as Grant[];
  const { instancePath, message, params } = problem;
  const at = instancePath === '' ? '' : ` at ${instancePath.slice(1).replaceAll('/', '.')}`;
  throw new RangeError(`is wrong${at}: ${message} ${JSON.stringify(params)}`);
};
