import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../content/icon.tsx';
import styles from './button.module.css';

interface Look {
  /**
   * `danger`: destroys something. `destructive`: opens the confirmation for that. A view has one `primary`. @default
   * 'secondary'
   */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'destructive' | 'quiet';
  /** Shown before the label. Without a label, `aria-label` says what the button does. */
  readonly icon?: IconName | undefined;
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'>, Look {
  /** Whether its action is still running: the button shows this and ignores presses. */
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
      // Not `disabled`: a disabled button loses keyboard focus.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends Look {
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
