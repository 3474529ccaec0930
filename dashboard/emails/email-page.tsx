import { useSignal } from '@preact/signals';
import type { CompiledEmail, Template, TemplateSample } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Empty } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { ButtonLink } from '../components/controls/button.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { useResource } from '../loading/resource.ts';
import { emails as messages } from '../messages/emails.ts';
import { useSession } from '../session/session.ts';
import type { PathParameters } from '../shell/address.ts';
import { EmailForm } from './email-form.tsx';
import { EmailResult } from './email-result.tsx';
import styles from './emails.module.css';

const EXAMPLE = JSON.stringify({ email: { subject: 'Hello {{name}}' } }, null, 2);

interface Source {
  readonly template: Template;
  readonly samples: readonly TemplateSample[];
}

/** One template as an email. */
export function EmailPage({ id = '' }: PathParameters) {
  const { client } = useSession();
  const source = useResource<Source>(
    async (signal) => {
      const [template, samples] = await Promise.all([
        client.templates.get(id, { signal }),
        client.templates.samples(id, { signal }),
      ]);
      return { template, samples };
    },
    [id],
  );
  return (
    <Page title={source.value.value?.template.name ?? messages.title}>
      <p>
        <a href="/dashboard/emails">← {messages.back}</a>
      </p>
      <Loaded resource={source}>
        {({ template, samples }) =>
          template.email ? (
            <Email key={template.id} templateId={template.id} samples={samples} />
          ) : (
            <NoEmail id={template.id} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface EmailProps {
  readonly templateId: string;
  readonly samples: readonly TemplateSample[];
}

function Email({ templateId, samples }: EmailProps) {
  const compiled = useSignal<CompiledEmail | undefined>(undefined);
  return (
    <>
      <EmailForm
        templateId={templateId}
        samples={samples}
        onCompiled={(email) => void (compiled.value = email)}
      />
      {compiled.value && <EmailResult email={compiled.value} />}
    </>
  );
}

function NoEmail({ id }: { readonly id: string }) {
  return (
    <Empty class={styles.none}>
      <p>{messages.noEmail}</p>
      <p>{messages.noEmailRemedy}</p>
      <CodeBlock code={EXAMPLE} label={messages.noEmailExample} />
      <p>
        <ButtonLink kind="primary" href={`/dashboard/templates/${encodeURIComponent(id)}`}>
          {messages.openTemplate}
        </ButtonLink>
      </p>
    </Empty>
  );
}
