import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { classes } from '../classes.ts';
import styles from './tabs.module.css';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Dots next to the label, each with its meaning for screen readers. */
  readonly marks?: readonly TabMark[];
}

export interface TabMark {
  readonly kind: 'changed' | 'error';
  readonly meaning: string;
}

interface TabsProps<Id extends string> {
  /** Accessible name of the tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly selected: Signal<Id>;
  /** ID prefix for the tabs and their panels, unique on the page. */
  readonly prefix: string;
}

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_index, count) => count - 1,
};

/** A row of tabs. The arrow keys move between them. Each panel takes its attributes from `panelAttributes`. */
export function Tabs<Id extends string>({ label, tabs, selected, prefix }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ id }) => id === selected.value);
    const next = MOVES[event.key]?.(index, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab) return;
    event.preventDefault();
    selected.value = tab.id;
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div class={styles.tabs} role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(({ id, label: name, marks = [] }) => (
        <button
          key={id}
          type="button"
          class={styles.tab}
          role="tab"
          id={`${prefix}-${id}-tab`}
          aria-controls={`${prefix}-${id}`}
          aria-selected={selected.value === id}
          tabIndex={selected.value === id ? 0 : -1}
          onClick={() => void (selected.value = id)}
        >
          {name}
          {marks.map(({ kind, meaning }) => (
            <span class={classes(styles.mark, styles[kind])} key={kind} title={meaning}>
              <span class="visually-hidden">{meaning}</span>
            </span>
          ))}
        </button>
      ))}
    </div>
  );
}

/** Attributes of a tab's panel element. */
export function panelAttributes(prefix: string, id: string, selected: string) {
  return {
    id: `${prefix}-${id}`,
    role: 'tabpanel',
    'aria-labelledby': `${prefix}-${id}-tab`,
    hidden: id !== selected,
  } as const;
}
