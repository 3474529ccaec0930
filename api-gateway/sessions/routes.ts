import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type, type Static } from 'typebox';
import { DOCUMENT_FORMATS, KEY_MODES, SCOPES, StringEnum, Timestamp, type ApiKey } from '@trifold/crds';
import { LINK_MINUTES, type SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import type { GatewayConfig } from '../config.ts';
import { verifiedKey } from '../server/auth/authentication.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { unauthenticated } from '../server/errors/api-error.ts';
import { oidcRoutes, type OidcRoutesOptions } from './oidc/routes.ts';
import { requireSafePage } from './same-origin.ts';
import type { Sessions } from './sessions.ts';

/** Maximum size of a sign-in body in bytes. */
const MAX_BYTES = 1024;

const SignIn = Type.Object(
  {
    key: Type.Optional(
      Type.String({ maxLength: 200, description: 'API key. The service checks it and does not store it.' }),
    ),
    token: Type.Optional(Type.String({ maxLength: 200, description: 'Token from a sign-in link.' })),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, title: 'SignIn' },
);
type SignIn = Static<typeof SignIn>;

const SessionView = Type.Object(
  {
    account: Type.String({ description: 'Namespace of the account.' }),
    key: Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: StringEnum(KEY_MODES),
      last_four: Type.String(),
      created_at: Timestamp(),
    }),
    scopes: Type.Array(StringEnum(SCOPES)),
    formats: Type.Array(StringEnum(DOCUMENT_FORMATS)),
    limits: Type.Object({
      max_body_bytes: Type.Integer(),
      max_batch_body_bytes: Type.Integer(),
      max_template_bytes: Type.Integer(),
    }),
  },
  { title: 'Session' },
);

const SignedOut = Type.Object(
  { sign_out_url: Type.String({ description: 'URL that ends the session at the identity provider.' }) },
  { title: 'SignedOut' },
);

export interface SessionRoutesOptions {
  readonly sessions: Sessions;
  readonly keys: KeyCache;
  /** Undefined: sign-in links are disabled. */
  readonly links: SignInLinks | undefined;
  readonly config: GatewayConfig;
  /** Undefined: sign-in with OpenID Connect is disabled. */
  readonly oidc: OidcRoutesOptions | undefined;
}

/** /dashboard/session: sign in with a key or a link, read the session, sign out. Not part of the interface. */
export const sessionRoutes: FastifyPluginAsyncTypebox<SessionRoutesOptions> = async (
  app,
  { sessions, keys, links, config, oidc },
) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  const provider = oidc && oidcRoutes(app, oidc);

  app.post(
    '/dashboard/session',
    {
      schema: { body: SignIn, response: { 201: SessionView } },
      bodyLimit: MAX_BYTES,
    },
    async (request, reply) => {
      const page = requireSafePage(request);
      const key = await signInKey(request.body, { keys, links });
      // A link signs in the operator of the service.
      const downloads = request.body.token === undefined ? 'key' : 'account';
      await sessions.start(reply, key, { ...page, downloads });
      return reply.code(201).send(viewOf(key, config));
    },
  );

  app.get(
    '/dashboard/session',
    { schema: { response: { 200: SessionView, 204: Type.Null() } } },
    async (request, reply) => {
      // 204: not signed in. Browsers would report a 401 as a page error.
      if (!sessions.isIn(request)) return reply.code(204).send(null);
      return viewOf((await sessions.open(request, reply)).key, config);
    },
  );

  app.delete(
    '/dashboard/session',
    { schema: { response: { 200: SignedOut, 204: Type.Null() } } },
    async (request, reply) => {
      const { key } = await sessions.open(request, reply);
      await sessions.end(reply, key);
      const url = await provider?.urlFor(request, reply, key);
      if (url) return { sign_out_url: url.href };
      return reply.code(204).send(null);
    },
  );
};

/** Returns the key that the session acts as. Throws ApiError 401. */
async function signInKey(
  { key = '', token }: SignIn,
  { keys, links }: Pick<SessionRoutesOptions, 'keys' | 'links'>,
): Promise<ApiKey> {
  if (token === undefined) return verifiedKey(key, keys);
  const linked = await links?.redeem(token);
  if (!linked) {
    const message = `The sign-in link has already been used or has expired. A link works once and expires after ${LINK_MINUTES} minutes. Run npx --no trifold dashboard for a new one.`;
    throw unauthenticated('invalid_sign_in_link', message);
  }
  keys.written(linked);
  return linked;
}

function viewOf({ metadata, spec }: ApiKey, config: GatewayConfig) {
  return {
    account: metadata.namespace ?? '',
    key: {
      id: metadata.name,
      name: spec.name,
      type: spec.mode,
      last_four: spec.lastFour,
      created_at: metadata.creationTimestamp,
    },
    scopes: spec.scopes,
    formats: [...DOCUMENT_FORMATS],
    limits: {
      max_body_bytes: config.maxBodyBytes,
      max_batch_body_bytes: config.maxBatchBodyBytes,
      max_template_bytes: config.maxTemplateBytes,
    },
  };
}
