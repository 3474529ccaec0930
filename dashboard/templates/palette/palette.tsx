import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Dialog } from '../../components/notices/dialog.tsx';
import { palette as messages } from '../../messages/palette.ts';
import styles from './palette.module.css';

/** An entry that the user can choose. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** Next to the label: keys, or the arguments of a helper. */
  readonly detail?: string | undefined;
  readonly description?: string | undefined;
  readonly example?: string | undefined;
  readonly run: () => void;
}

interface PaletteProps {
  readonly title: string;
  /** Label of the search field. */
  readonly search: string;
  readonly entries: readonly PaletteEntry[];
  readonly onClose: () => void;
}

/** A searchable list. The arrow keys move the selection, and Enter chooses. */
export function Palette({ title, search, entries, onClose }: PaletteProps) {
  const typed = useSignal('');
  const index = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const found = entriesFor(typed.value, entries);
  const active = Math.min(index.value, found.length - 1);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    // The rest of the page cannot take focus until the dialog is closed.
    requestAnimationFrame(entry.run);
  };
  const press = (event: KeyboardEvent) => {
    const next = MOVES[event.key]?.(active, found.length);
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined) choose(found[active]);
    else index.value = next;
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label={search}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        aria-autocomplete="list"
        autocomplete="off"
        autofocus
        class={styles.search}
        placeholder={search}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          index.value = 0;
        }}
        onKeyDown={press}
      />
      <ul class={styles.list} role="listbox" id={id} aria-label={title} ref={list}>
        {found.map((entry, position) => (
          <li
            key={entry.id}
            id={`${id}-${position}`}
            role="option"
            class={classes(styles.entry, position === active && styles.active)}
            aria-selected={position === active}
            onPointerMove={() => void (index.value = position)}
            onClick={() => choose(entry)}
          >
            <Content entry={entry} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="muted">{messages.none}</p>}
    </Dialog>
  );
}

function Content({ entry: { label, detail, description, example } }: { readonly entry: PaletteEntry }) {
  return (
    <>
      <span class={styles.label}>
        <strong>{label}</strong>
        {detail && <code>{detail}</code>}
      </span>
      {description && <span class={classes(styles.description, 'small')}>{description}</span>}
      {example && <code class="small">{example}</code>}
    </>
  );
}

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
};

/** Returns the entries that contain every typed word, matches in the label first. */
function entriesFor(typed: string, entries: readonly PaletteEntry[]): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const contains = (...texts: readonly (string | undefined)[]) => {
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const [labelled, others] = [[], []] as [PaletteEntry[], PaletteEntry[]];
  for (const entry of entries) {
    if (contains(entry.label)) labelled.push(entry);
    else if (contains(entry.label, entry.description)) others.push(entry);
  }
  return [...labelled, ...others];
}
