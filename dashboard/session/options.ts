/** What the sign-in page offers in addition to API keys. */
interface SignInOptions {
  /** Whether the service prints links that sign in. */
  readonly links: boolean;
  /** Identity provider with which people sign in. */
  readonly provider?: {
    readonly name: string;
    /** Address of this service that leads to the provider. */
    readonly url: string;
  };
}

/** Returns what the gateway wrote into the page; only keys if the page comes from `npm run dev`. */
export function signInOptions(): SignInOptions {
  const content = document.querySelector<HTMLMetaElement>('meta[name=trifold-sign-in]')?.content ?? '';
  return content.startsWith('{') ? (JSON.parse(content) as SignInOptions) : { links: false };
}
