import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { CodeBlock } from '../components/content/code-block.tsx';
import { panelAttributes, Tabs } from '../components/controls/tabs.tsx';
import { snippets as messages } from '../messages/snippets.ts';
import { LANGUAGES, type Language, type Snippets } from './snippets.ts';
import styles from './code-tabs.module.css';

const STORED = 'trifold-language';
const TABS = LANGUAGES.map((id) => ({ id, label: messages.languages[id] }));

/** The selected language, shared by all snippets. */
export const language = signal<Language>(
  LANGUAGES.find((one) => one === localStorage.getItem(STORED)) ?? 'curl',
);
language.subscribe((chosen) => localStorage.setItem(STORED, chosen));

interface CodeTabsProps {
  /** What the code does. */
  readonly label: string;
  readonly code: Snippets;
}

/** Code in several languages, one tab each, and the prerequisites of the selected one. */
export function CodeTabs({ label, code }: CodeTabsProps) {
  const id = useId();
  const { value } = language;
  return (
    <>
      <div class={styles.languages}>
        <Tabs label={messages.languageOf(label)} tabs={TABS} selected={language} prefix={id} />
        <div {...panelAttributes(id, value, value)}>
          <CodeBlock code={code[value]} label={messages.codeOf(label, messages.languages[value])} />
        </div>
      </div>
      <p class="small muted">{messages.needs[value]}</p>
    </>
  );
}
