import './button.css';
import type { ButtonHTMLAttributes } from 'preact';

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'> {
  /** @default 'secondary' */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  /** Whether what it started still runs: it shows so and does nothing when pressed. */
  readonly busy?: boolean;
  readonly class?: string;
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
      class={['button', kind, more].filter(Boolean).join(' ')}
      aria-busy={busy}
      // Not `disabled`: a disabled button loses the focus of the keyboard.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}
