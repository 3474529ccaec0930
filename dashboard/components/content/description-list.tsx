import type { ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import styles from './description-list.module.css';

interface DescriptionListProps {
  /** Whether the list is in a card. */
  readonly card?: boolean;
  readonly children: ComponentChildren;
}

/** A list of names and values. */
export function DescriptionList({ card = false, children }: DescriptionListProps) {
  return <dl class={classes(styles.list, card && 'card')}>{children}</dl>;
}

/** One line of a DescriptionList. */
export function Description({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
