import { signal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { CodeBlock } from '../components/content/code-block.tsx';
import { start as messages } from '../messages/start.ts';
import { LANGUAGES, type Language, type Snippets } from './snippets.ts';
import styles from './start.module.css';

const STORED = 'trifold-language';

/** The chosen language, the same in every step. */
export const language = signal<Language>(
  LANGUAGES.find((one) => one === localStorage.getItem(STORED)) ?? 'curl',
);

function choose(chosen: Language): void {
  language.value = chosen;
  localStorage.setItem(STORED, chosen);
}

/** Distance to the tab that a key goes to. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

interface CodeTabsProps {
  /** What the code does. */
  readonly label: string;
  readonly code: Snippets;
}

/** Code in several languages, with a tab for each. Arrow keys, Home and End change the tab. */
export function CodeTabs({ label, code }: CodeTabsProps) {
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const current = language.value;
  const move = (event: KeyboardEvent) => {
    const next = neighbour(current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs.current?.querySelector<HTMLElement>(`[data-language=${next}]`)?.focus();
  };
  return (
    <div>
      <div
        class={styles.languages}
        role="tablist"
        aria-label={messages.languageOf(label)}
        ref={tabs}
        onKeyDown={move}
      >
        {LANGUAGES.map((one) => (
          <button
            type="button"
            role="tab"
            key={one}
            id={`${id}-${one}`}
            data-language={one}
            aria-selected={one === current}
            aria-controls={`${id}-panel`}
            tabIndex={one === current ? 0 : -1}
            onClick={() => choose(one)}
          >
            {messages.languages[one]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        <CodeBlock code={code[current]} label={messages.codeOf(label, messages.languages[current])} />
      </div>
    </div>
  );
}

function neighbour(current: Language, key: string): Language | undefined {
  if (key === 'Home') return LANGUAGES[0];
  if (key === 'End') return LANGUAGES.at(-1);
  const step = STEPS[key];
  if (step === undefined) return undefined;
  return LANGUAGES.at((LANGUAGES.indexOf(current) + step) % LANGUAGES.length);
}
