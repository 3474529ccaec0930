import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';
import { loadProxies } from '@trifold/platform/outbound/proxies.ts';
import type { Grant, OidcConfig } from '../sessions/oidc/oidc-config.ts';

const CLIENT = { id: 'trifold', secret: randomBytes(24).toString('hex') } as const;

/**
 * A real OpenID provider on this machine. It signs `person` in without prompting, or denies the sign-in if `person` is
 * not set.
 */
const LIFETIMES = { Grant: 600, IdToken: 600, Interaction: 600, Session: 600 };

export class TestIdentityProvider {
  /** The subject and claims of the next sign-in. */
  person: { readonly sub: string; readonly [claim: string]: unknown } | undefined;
  readonly #publicUrl: string;
  readonly #claims = new Map<string, Record<string, unknown>>();
  /** Requests waiting at the token endpoint while the provider is silent. */
  #waiting: ServerResponse[] | undefined;
  #server: Server | undefined;
  #port = 0;

  private constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  /** `publicUrl`: URL of the service that users sign in to. */
  static async start(publicUrl: string): Promise<TestIdentityProvider> {
    const provider = new TestIdentityProvider(publicUrl);
    await provider.listen();
    return provider;
  }

  get issuer(): string {
    return `http://localhost:${this.#port}`;
  }

  config(grants: readonly Grant[], allowUnverifiedEmail = false): OidcConfig {
    return {
      issuer: new URL(this.issuer),
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: 'openid profile email',
      grants,
      allowUnverifiedEmail,
      publicUrl: new URL(this.#publicUrl),
      proxies: loadProxies({}),
    };
  }

  /** Starts serving; after `stop`, serves again at the same address. */
  async listen(): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(this.#port, 'localhost', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    const provider = new Provider(this.issuer, this.#configuration());
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (this.#waiting && request.url === '/token') {
        this.#waiting.push(response);
        return;
      }
      const handled = request.url?.startsWith('/interaction/')
        ? this.#decide(provider, request, response)
        : answer(request, response);
      void handled;
    });
  }

  /** Holds responses from the token endpoint until `speak`. */
  silence(): void {
    this.#waiting = [];
  }

  /** Number of requests that the silent token endpoint has received. */
  get unanswered(): number {
    return this.#waiting?.length ?? 0;
  }

  /** Drops the waiting requests, and responds to later ones. */
  speak(): void {
    for (const response of this.#waiting ?? []) response.destroy();
    this.#waiting = undefined;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /**
   * Follows the provider's redirects like a browser without a session there. Returns the URL it finally redirects to.
   */
  async answerTo(url: string): Promise<URL> {
    const cookies = new Map<string, string>();
    for (let next = new URL(url); ;) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status} ${await response.text()}`);
      next = new URL(location, next);
      if (next.origin !== this.issuer) return next;
    }
  }

  #configuration(): Configuration {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${this.#publicUrl}/dashboard/sign-in/callback`],
          post_logout_redirect_uris: [`${this.#publicUrl}/dashboard/`],
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test' }] },
      cookies: { keys: [randomBytes(24).toString('hex')] },
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: { logoutSource: (context, form) => void (context.body = signOutPage(form)) },
      },
      claims: {
        openid: ['sub'],
        profile: ['name', 'groups', 'department'],
        email: ['email', 'email_verified'],
      },
      ttl: { AccessToken: 600, AuthorizationCode: 60, ...LIFETIMES },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ ...this.#claims.get(sub), sub }),
      }),
      async loadExistingGrant({ oidc: { client, session, provider } }) {
        const accountId = session?.accountId;
        if (!client || accountId === undefined) return undefined;
        const grant = new provider.Grant({ clientId: client.clientId, accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    };
  }

  async #decide(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.person) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const { sub, ...claims } = this.person;
    this.#claims.set(sub, claims);
    await provider.interactionFinished(request, response, { login: { accountId: sub } });
  }
}

/** Asks whether to sign out. Replaces the provider's default page, which loads a font from the internet. */
function signOutPage(form: string): string {
  return `<!doctype html><html lang="en"><title>Sign out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out here too</button></html>`;
}
