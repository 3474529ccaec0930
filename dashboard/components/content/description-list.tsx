import type { ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import styles from './description-list.module.css';

/** A name and its value. Undefined, null or false: the list omits the entry. */
export type Description = readonly [name: string, value: ComponentChildren];

interface DescriptionListProps {
  readonly entries: readonly Description[];
  /** Whether the list is in a card. */
  readonly card?: boolean;
}

/** A list of names and values. */
export function DescriptionList({ entries, card = false }: DescriptionListProps) {
  const shown = entries.filter(([, value]) => value !== undefined && value !== null && value !== false);
  return (
    <dl class={classes(styles.list, card && 'card')}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
