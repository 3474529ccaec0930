import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Sentence below the title. */
  readonly lead?: ComponentChildren;
  /** Buttons next to the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Content of one page: its heading, which is also the browser tab's title, its main actions and its sections. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${text.common.appName}`;
  }, [title]);
  return (
    <div class={classes(styles.page, 'stack')}>
      <header class={styles.header}>
        <div>
          <h1>{title}</h1>
          {lead && <p class="muted">{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
