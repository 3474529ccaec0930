import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import styles from './button.module.css';

interface Look {
  /** @default 'secondary' */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'>, Look {
  /** Whether what it started still runs: it shows so and does nothing when pressed. */
  readonly busy?: boolean;
  readonly class?: string | undefined;
}

export function Button({
  kind = 'secondary',
  busy = false,
  class: more,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={classes(styles.button, styles[kind], more)}
      aria-busy={busy}
      // Not `disabled`: a disabled button loses the focus of the keyboard.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

interface ButtonLinkProps extends Look {
  readonly href: string;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

/** A link that looks like a button. */
export function ButtonLink({ kind = 'secondary', children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} class={classes(styles.button, styles[kind])}>
      {children}
    </a>
  );
}
