import './notice.css';
import type { ComponentChildren } from 'preact';

interface NoticeProps {
  /** @default 'info' */
  readonly kind?: 'info' | 'success' | 'warning' | 'danger';
  readonly children: ComponentChildren;
}

/** A message that stays on the page. */
export function Notice({ kind = 'info', children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'danger' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
