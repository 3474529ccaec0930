import { signal, useComputed, useSignal } from '@preact/signals';
import type { Preview, Template, TemplateSample } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Empty } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { ButtonLink } from '../components/controls/button.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { ErrorNotice, Notice } from '../components/notices/notice.tsx';
import { Warnings } from '../documents/work-parts.tsx';
import { useResource } from '../loading/resource.ts';
import { emails as messages } from '../messages/emails.ts';
import { useSession } from '../session/session.ts';
import type { PathParameters } from '../shell/address.ts';
import { usePreview, type PreviewFormat } from '../templates/preview/use-preview.ts';
import { EmailForm, type Data } from './email-form.tsx';
import { EmailResult } from './email-result.tsx';
import styles from './emails.module.css';

const EXAMPLE = JSON.stringify({ email: { subject: 'Hello {{name}}' } }, null, 2);

interface Source {
  /** The version that emails use. */
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
      const { published_version: published } = template;
      if (published === undefined) return { template, samples };
      return { template: await client.templates.versions.get(id, published, { signal }), samples };
    },
    [id],
  );
  return (
    <Page
      back={{ path: '/dashboard/emails', title: messages.title }}
      title={source.value.value?.template.name ?? messages.title}
    >
      <Loaded resource={source}>
        {({ template, samples }) =>
          template.email ? (
            <Email key={template.id} template={template} samples={samples} />
          ) : (
            <NoEmail id={template.id} />
          )
        }
      </Loaded>
    </Page>
  );
}

const FORMAT = signal<PreviewFormat>('email');

/** The email with the data, updated a moment after each change. */
function Email({ template, samples }: Source) {
  const data = useSignal<Data>(samples[0]?.data ?? {});
  const request = useComputed(() => ({ saved: template, data: data.value }));
  const { shown, latest, error, retry } = usePreview({ request, format: FORMAT });
  const { errors = [], warnings = [] } = latest.value ?? {};
  const html = useComputed(() => new TextDecoder().decode(shown.value?.file));
  return (
    <div class={styles.panes}>
      <EmailForm samples={samples} data={data} />
      <div class="stack">
        <ErrorNotice error={error.value} onRetry={retry} />
        {errors.length > 0 && <EmailErrors errors={errors} />}
        {warnings.length > 0 && (
          <Notice kind="warning">
            <Warnings warnings={warnings} />
          </Notice>
        )}
        {shown.value?.email && (
          <EmailResult
            email={{ ...shown.value.email, html: html.value }}
            templateId={template.id}
            data={data.value}
          />
        )}
      </div>
    </div>
  );
}

function EmailErrors({ errors }: Pick<Preview, 'errors'>) {
  return (
    <Notice kind="danger">
      <ul>
        {errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== null && <code>{path}</code>} {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function NoEmail({ id }: { readonly id: string }) {
  const { allows } = useSession();
  if (!allows('templates:write')) return <Empty>{messages.noEmail}</Empty>;
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
