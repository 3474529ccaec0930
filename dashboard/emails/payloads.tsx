import { useSignal } from '@preact/signals';
import type { CompiledEmail } from '@trifold/client';
import { classes } from '../components/classes.ts';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Button } from '../components/controls/button.tsx';
import { Switch } from '../components/controls/switch.tsx';
import { ErrorNotice } from '../components/notices/notice.tsx';
import { useAction } from '../loading/action.ts';
import { emails as messages } from '../messages/emails.ts';
import { useSession } from '../session/session.ts';
import type { Data } from './email-form.tsx';
import styles from './emails.module.css';

type Provider = keyof CompiledEmail['providers'];

interface PayloadsProps {
  readonly templateId: string;
  readonly data: Data;
}

/** The requests to providers. They are compiled only on a button press: a compiled email counts as usage. */
export function Payloads({ templateId, data }: PayloadsProps) {
  const { client } = useSession();
  const provider = useSignal<Provider>('resend');
  const compiled = useSignal<CompiledEmail | undefined>(undefined);
  const compile = useAction(async () => {
    compiled.value = await client.emails.compile({ template_id: templateId, data });
  });
  return (
    <section class={classes(styles.part, 'stack')}>
      <div>
        <h2>{messages.payloads}</h2>
        <p class="muted">{messages.payloadsLead}</p>
      </div>
      {compiled.value ? (
        <>
          <Switch
            label={messages.provider}
            choices={messages.providers}
            value={provider.value}
            onChange={(value) => void (provider.value = value)}
          />
          <CodeBlock
            code={JSON.stringify(compiled.value.providers[provider.value], null, 2)}
            label={messages.payloadOf(messages.providers[provider.value])}
          />
        </>
      ) : (
        <div class="row">
          <Button busy={compile.running.value} onClick={() => compile.run()}>
            {messages.compile}
          </Button>
          <span class="small muted">{messages.compileNote}</span>
        </div>
      )}
      <ErrorNotice error={compile.error.value} />
    </section>
  );
}
