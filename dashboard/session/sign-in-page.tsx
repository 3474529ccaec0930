import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { classes } from '../components/classes.ts';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Button, ButtonLink } from '../components/controls/button.tsx';
import { Field } from '../components/controls/field.tsx';
import { ErrorNotice, Notice } from '../components/notices/notice.tsx';
import { useAction } from '../loading/action.ts';
import { text } from '../messages/text.ts';
import { rememberPage, useSession } from './session.ts';
import styles from './sign-in-page.module.css';

const KEY_FORM = /^tf_(?:live|test)_[A-Za-z0-9]{43}$/;
const NEW_LINK = 'npx --no trifold dashboard';

/** Sign-in methods that the page offers in addition to API keys. */
interface SignInOptions {
  /** Whether the service prints sign-in links. */
  readonly links: boolean;
  /** Identity provider that users sign in with. */
  readonly provider?: {
    readonly name: string;
    /** URL of this service that redirects to the provider. */
    readonly url: string;
  };
}

const { links, provider } = signInOptions();

/** Links to the identity provider, or asks for a key, which it exchanges for a session and then discards. */
export function SignInPage() {
  const input = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const invalid = useSignal<string | undefined>(undefined);
  const session = useSession();
  const { run, running, error } = useAction(session.signIn);
  // Runs before a user can type.
  useLayoutEffect(() => {
    document.title = text.session.title;
    form.current?.querySelector<HTMLElement>('a, input')?.focus();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    invalid.value = KEY_FORM.test(key) ? undefined : text.session.keyInvalid;
    if (invalid.value === undefined) run(key);
  };
  const problem = error.value ?? session.problem.value;
  return (
    <main class={styles.page}>
      <form class={classes(styles.card, 'stack')} ref={form} onSubmit={submit} noValidate>
        <img src="/dashboard/favicon.svg" alt="" width="40" height="40" />
        <h1>{text.session.title}</h1>
        {session.hasEnded.value && <Notice kind="warning">{text.errors.sessionEnded}</Notice>}
        {provider && (
          <>
            <ButtonLink kind="primary" href={provider.url} onClick={rememberPage}>
              {text.session.signInWith(provider.name)}
            </ButtonLink>
            <p class="small muted">{text.session.orKey}</p>
          </>
        )}
        <Field label={text.session.key} hint={text.session.keyHint} error={invalid.value}>
          <input ref={input} type="password" name="key" autocomplete="off" spellcheck={false} required />
        </Field>
        {problem !== undefined && <ErrorNotice error={problem} />}
        <Button kind={provider ? 'secondary' : 'primary'} type="submit" busy={running.value}>
          {text.session.signIn}
        </Button>
        {links && (
          <>
            <p class="small muted">{text.session.noKey}</p>
            <CodeBlock code={NEW_LINK} label={text.session.noKey} />
          </>
        )}
      </form>
    </main>
  );
}

/** Returns the sign-in options that the gateway wrote into the page; only keys if the page comes from `npm run dev`. */
function signInOptions(): SignInOptions {
  const content = document.querySelector<HTMLMetaElement>('meta[name=trifold-sign-in]')?.content ?? '';
  return content.startsWith('{') ? (JSON.parse(content) as SignInOptions) : { links: false };
}
