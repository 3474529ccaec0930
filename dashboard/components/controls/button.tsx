import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../content/icon.tsx';
import styles from './button.module.css';

interface Look {
  /**
   * `danger`: destroys something. `destructive`: opens the question before that. A view has one `primary`. @default
   * 'secondary'
   */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'destructive' | 'quiet';
  /** Before the text. Without a text, `aria-label` says what the button does. */
  readonly icon?: IconName | undefined;
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'>, Look {
  /** Whether what it started still runs: it shows so and does nothing when pressed. */
  readonly busy?: boolean;
  readonly class?: string | undefined;
}

export function Button({
  kind = 'secondary',
  icon,
  busy = false,
  class: more,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isIconOnly = icon !== undefined && children === undefined;
  return (
    <button
      type="button"
      title={isIconOnly ? rest['aria-label'] : undefined}
      {...rest}
      class={classes(styles.button, styles[kind], isIconOnly && styles.iconOnly, more)}
      aria-busy={busy}
      // Not `disabled`: a disabled button loses the focus of the keyboard.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
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
export function ButtonLink({ kind = 'secondary', icon, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} class={classes(styles.button, styles[kind])}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
