import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'preact';
import { classes } from '../classes.ts';
import styles from './button.module.css';

interface Look {
  /** @default 'secondary' */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly class?: string | undefined;
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'>, Look {
  /** Whether what it started still runs: it shows so and does nothing when pressed. */
  readonly busy?: boolean;
}

export function Button({ kind, busy = false, class: more, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={look({ kind, class: more })}
      aria-busy={busy}
      // Not `disabled`: a disabled button loses the focus of the keyboard.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  kind,
  class: more,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes, 'class'> & Look) {
  return (
    <a {...rest} class={look({ kind, class: more })}>
      {children}
    </a>
  );
}

function look({
  kind = 'secondary',
  class: more,
}: { readonly [Name in keyof Look]: Look[Name] | undefined }): string {
  return classes(styles.button, styles[kind], more);
}
