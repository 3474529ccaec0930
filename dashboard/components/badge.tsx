import './badge.css';
import type { ComponentChildren } from 'preact';

interface BadgeProps {
  /** @default 'neutral' */
  readonly kind?: 'neutral' | 'info' | 'success' | 'warning' | 'danger';
  readonly children: ComponentChildren;
}

/** A status or a type in a word or two. */
export function Badge({ kind = 'neutral', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
