import type { ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import styles from './badge.module.css';

interface BadgeProps {
  /** @default 'neutral' */
  readonly kind?: 'neutral' | 'info' | 'success' | 'warning' | 'danger';
  readonly children: ComponentChildren;
}

/** A status or type in one or two words. */
export function Badge({ kind = 'neutral', children }: BadgeProps) {
  return <span class={classes(styles.badge, styles[kind])}>{children}</span>;
}
