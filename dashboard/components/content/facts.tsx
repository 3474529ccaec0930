import type { ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import styles from './facts.module.css';

interface FactsProps {
  /** Whether they are on a card. */
  readonly card?: boolean;
  readonly children: ComponentChildren;
}

/** A list of facts. */
export function Facts({ card = false, children }: FactsProps) {
  return <dl class={classes(styles.facts, card && 'card')}>{children}</dl>;
}

/** One line of a list of facts. */
export function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
