import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { CodeBlock } from '../components/content/code-block.tsx';
import { panelAttributes, Tabs } from '../components/controls/tabs.tsx';
import { snippets as messages } from '../messages/snippets.ts';
import { generatePdf, LANGUAGES, runCommand, type Language, type PdfCall } from './snippets.ts';
import styles from './code-tabs.module.css';

const STORED = 'trifold-language';
const TABS = LANGUAGES.map((id) => ({ id, label: messages.languages[id] }));

/** The selected language, shared by all snippets. */
const language = signal<Language>(LANGUAGES.find((one) => one === localStorage.getItem(STORED)) ?? 'curl');
language.subscribe((chosen) => localStorage.setItem(STORED, chosen));

interface CodeTabsProps {
  /** Description of the code. */
  readonly label: string;
  readonly call: PdfCall;
}

/** Code that generates a PDF in several languages, one tab each, and how to run the selected one. */
export function CodeTabs({ label, call }: CodeTabsProps) {
  const id = useId();
  const { value } = language;
  const command = runCommand(value, call.name);
  return (
    <>
      <div class={styles.languages}>
        <Tabs label={messages.languageOf(label)} tabs={TABS} selected={language} prefix={id} />
        <div {...panelAttributes(id, value, value)}>
          <CodeBlock
            code={generatePdf(call)[value]}
            label={messages.codeOf(label, messages.languages[value])}
          />
        </div>
      </div>
      <p class="small muted">{messages.needs[value]}</p>
      {command && (
        <>
          <p>{messages.run}</p>
          <CodeBlock code={command} label={messages.run} />
        </>
      )}
    </>
  );
}
