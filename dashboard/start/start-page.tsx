import type { ComponentChildren } from 'preact';
import { classes } from '../components/classes.ts';
import { Badge } from '../components/content/badge.tsx';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Page } from '../components/content/page.tsx';
import { ButtonLink } from '../components/controls/button.tsx';
import { ErrorNotice } from '../components/notices/notice.tsx';
import { start as messages } from '../messages/start.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import { SECTIONS } from '../shell/sections.ts';
import { CodeTabs } from '../snippets/code-tabs.tsx';
import { EXPORT_KEY } from '../snippets/snippets.ts';
import { useProgress } from './progress.ts';
import styles from './start.module.css';

const HELLO = {
  name: 'hello',
  body: { template: { html: '<h1>Hello {{name}}</h1>' }, data: { name: 'World' } },
} as const;

/** The first document in three steps, unless the session cannot change anything, and links to the sections. */
export function StartPage() {
  const { allows, isReadOnly } = useSession();
  if (isReadOnly.value) {
    return (
      <Page title={messages.readOnlyTitle} lead={text.session.readOnlyHint}>
        <SectionLinks title={messages.readOnlySections} />
      </Page>
    );
  }
  const makeTemplate = allows('templates:write') && (
    <ButtonLink kind="primary" icon="plus" href="/dashboard/templates/new">
      {messages.makeTemplate}
    </ButtonLink>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={makeTemplate}>
      <Steps />
      <SectionLinks title={messages.sections} />
    </Page>
  );
}

function Steps() {
  const { allows } = useSession();
  const { value, error, reload } = useProgress();
  const done = value.value;
  return (
    <>
      <ErrorNotice error={error.value} onRetry={reload} />
      <ol class={styles.steps}>
        <Step title={messages.createKey} isDone={done?.key}>
          <p>{messages.createKeyText}</p>
          {allows('api-keys:write') && (
            <p>
              <ButtonLink href="/dashboard/keys">{messages.toKeys}</ButtonLink>
            </p>
          )}
          <p>{messages.exportKey}</p>
          <CodeBlock code={EXPORT_KEY} label={messages.exportKeyLabel} />
        </Step>
        <Step title={messages.generate} isDone={done?.document}>
          <p>{messages.generateText}</p>
          <CodeTabs label={messages.generate} call={{ ...HELLO, url: location.origin }} />
        </Step>
        {allows('templates:write') && (
          <Step title={messages.design} isDone={done?.template}>
            <p>{messages.designText}</p>
            <p>
              <ButtonLink href="/dashboard/templates/new">{messages.toNewTemplate}</ButtonLink>
            </p>
          </Step>
        )}
      </ol>
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean | undefined;
  readonly children: ComponentChildren;
}

function Step({ title, isDone = false, children }: StepProps) {
  return (
    <li class={classes(styles.step, 'stack', isDone && styles.done)}>
      <div class="row">
        <h2>{title}</h2>
        {isDone && <Badge kind="success">{messages.done}</Badge>}
      </div>
      {children}
    </li>
  );
}

const MEANINGS: Readonly<Record<string, string>> = messages.sectionMeanings;

/** Links to the sections that the session may see. */
function SectionLinks({ title }: { readonly title: string }) {
  const { allows } = useSession();
  const sections = SECTIONS.filter(({ scope }) => scope !== undefined && allows(scope));
  return (
    <section class="stack" aria-labelledby="sections">
      <h2 id="sections">{title}</h2>
      <ul class={styles.links}>
        {sections.map(({ path, label }) => (
          <li key={path}>
            <a href={`/dashboard${path}`}>{label}</a>
            <p class="small muted">{MEANINGS[path]}</p>
          </li>
        ))}
        <li>
          <a href="/docs/api/" target="_blank" rel="noreferrer">
            {text.navigation.apiReference}
          </a>
          <p class="small muted">{messages.apiReferenceMeaning}</p>
        </li>
      </ul>
    </section>
  );
}
