import './sign-in-page.css';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { ErrorNotice, Notice } from '../components/notice.tsx';
import { Field } from '../components/field.tsx';
import { text } from '../messages/text.ts';
import { useAction } from '../loading/action.ts';
import { signInOptions } from './options.ts';
import { rememberPage, useSession } from './session.ts';

const KEY_FORM = /^tf_(?:live|test)_[A-Za-z0-9]{43}$/;
const NEW_LINK = 'npx trifold dashboard';

const { links, provider } = signInOptions();

/** Leads to the identity provider, or asks for a key, which it exchanges for a session and forgets. */
export function SignInPage() {
  const input = useRef<HTMLInputElement>(null);
  const providerLink = useRef<HTMLAnchorElement>(null);
  const invalid = useSignal<string | undefined>(undefined);
  const session = useSession();
  const { run, running, error } = useAction(session.signIn);
  // Before anybody can type.
  useLayoutEffect(() => {
    document.title = text.session.title;
    (providerLink.current ?? input.current)?.focus();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    invalid.value = KEY_FORM.test(key) ? undefined : text.session.keyInvalid;
    if (invalid.value === undefined) run(key);
  };
  const problem = error.value ?? session.problem.value;
  return (
    <main class="sign-in">
      <form class="sign-in-card stack" onSubmit={submit} noValidate>
        <img src="/dashboard/favicon.svg" alt="" width="40" height="40" />
        <h1>{text.session.title}</h1>
        {session.hasEnded.value && <Notice kind="warning">{text.errors.sessionEnded}</Notice>}
        {provider && (
          <>
            <a ref={providerLink} class="button primary" href={provider.url} onClick={rememberPage}>
              {text.session.signInWith(provider.name)}
            </a>
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
