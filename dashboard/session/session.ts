import { computed, signal } from '@preact/signals';
import {
  AuthenticationError,
  TrifoldClient,
  TrifoldError,
  type ApiKey,
  type DocumentFormat,
  type Scope,
} from '@trifold/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { text } from '../messages/text.ts';
import { forgetAccounts } from './account-storage.ts';

/** The response to GET /dashboard/session. */
export interface Session {
  /** Namespace of the account. */
  readonly account: string;
  readonly key: Pick<ApiKey, 'id' | 'name' | 'type' | 'last_four' | 'created_at'>;
  readonly scopes: readonly Scope[];
  readonly formats: readonly DocumentFormat[];
  readonly limits: {
    readonly max_body_bytes: number;
    readonly max_batch_body_bytes: number;
    readonly max_template_bytes: number;
  };
}

/** A sign-in problem, with the service's message. */
class SignInError extends Error {
  override readonly name = 'SignInError';
}

/** Scopes that allow changes. */
const CHANGING = /:(?:write|generate)$/;

const SESSION_URL = '/dashboard/session';

/** This browser's session with the service that served the page. */
export class BrowserSession {
  /** Client with the session's permissions. */
  readonly client = new TrifoldClient({ baseUrl: location.origin, session: true });
  /** `undefined` until the service has responded; `null` when no user is signed in. */
  readonly signedIn = signal<Session | null | undefined>(undefined);
  /** Whether the session ended while its pages were open. */
  readonly hasEnded = signal(false);
  /** Reason that the sign-in through a link or identity provider failed before this page opened. */
  readonly problem = signal<SignInError | undefined>(undefined);
  /** Whether no scope of the session allows changes. */
  readonly isReadOnly = computed(() => !this.signedIn.value?.scopes.some((scope) => CHANGING.test(scope)));
  readonly #scopes = computed(() => new Set(this.signedIn.value?.scopes));

  /** Returns whether the session may call routes that require the scope. */
  readonly allows = (scope: Scope): boolean => this.#scopes.value.has(scope);

  /**
   * Signs in with the link that opened the page, or asks the service who is signed in. Rejects when the service does
   * not respond.
   */
  readonly load = async (): Promise<void> => {
    const problem = (await this.#signInWithLink()) ?? providerProblem();
    const response = await fetch(SESSION_URL);
    if (response.status >= 500) {
      throw new TrifoldError(text.errors.unreachable, { code: 'unavailable', status: response.status });
    }
    const found = response.status === 200 ? ((await response.json()) as Session) : null;
    if (found) returnToPage();
    // An earlier session continues when a sign-in fails.
    this.problem.value = found ? undefined : problem;
    this.signedIn.value = found;
  };

  /** Exchanges a key for a session. Throws SignInError with the reason if the service rejects the key. */
  readonly signIn = async (key: string): Promise<void> => {
    this.problem.value = undefined;
    await this.#start({ key });
  };

  /**
   * Ends every session of the key, in this and other browsers, and removes the account data this browser stores. If the
   * session began at an identity provider, goes there to end that session too.
   */
  async signOut(): Promise<void> {
    const response = await fetch(SESSION_URL, { method: 'DELETE', headers: { 'x-trifold-session': '1' } });
    forgetAccounts();
    this.signedIn.value = null;
    if (response.status !== 200) return;
    const { sign_out_url: url } = (await response.json()) as { sign_out_url: string };
    location.assign(url);
  }

  /** Returns a call's error, after ending the session if the service reports that it is over. */
  readonly endingSession = (error: unknown): unknown => {
    if (error instanceof AuthenticationError && this.signedIn.value) {
      this.hasEnded.value = true;
      this.signedIn.value = null;
    }
    return error;
  };

  /** Uses the sign-in link in the URL and removes it from the URL and the browser history. Returns its problem. */
  async #signInWithLink(): Promise<SignInError | undefined> {
    const token = linkToken();
    if (token === undefined) return undefined;
    history.replaceState(null, '', location.pathname);
    try {
      await this.#start({ token });
      return undefined;
    } catch (error) {
      if (error instanceof SignInError) return error;
      throw error;
    }
  }

  async #start(credential: { readonly key: string } | { readonly token: string }): Promise<void> {
    const response = await fetch(SESSION_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credential),
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new SignInError((body as { message: string }).message);
    this.hasEnded.value = false;
    this.signedIn.value = body as Session;
  }
}

/** The session, for all pages. */
export const SessionContext = createContext<BrowserSession | undefined>(undefined);

export function useSession(): BrowserSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no SessionContext around this component');
  return session;
}

/** Returns the token of the sign-in link in the URL, if any. */
export function linkToken(): string | undefined {
  return /^#token=(.+)$/.exec(location.hash)?.[1];
}

/**
 * Returns the problem that the gateway wrote into the URL, and removes it from there
 * (api-gateway/sessions/oidc/routes.ts).
 */
function providerProblem(): SignInError | undefined {
  const reason = /^#problem=(\w+)$/.exec(location.hash)?.[1];
  if (reason === undefined) return undefined;
  history.replaceState(null, '', location.pathname);
  const { problems } = text.session;
  return new SignInError(reason in problems ? problems[reason as keyof typeof problems] : problems.failed);
}

const RETURN_TO = 'trifold-return-to';

/** Returns to this page after the identity provider has redirected to the start page. */
export function rememberPage(): void {
  sessionStorage.setItem(RETURN_TO, location.pathname + location.search);
}

function returnToPage(): void {
  const page = sessionStorage.getItem(RETURN_TO);
  sessionStorage.removeItem(RETURN_TO);
  if (page !== null) history.replaceState(null, '', page);
}
