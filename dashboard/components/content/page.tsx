import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** The parent page. */
  readonly back?: BackTarget | undefined;
  /** Sentence below the title. */
  readonly lead?: ComponentChildren;
  /** Buttons next to the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

interface BackTarget {
  readonly path: string;
  /** Title of that page. */
  readonly title: string;
}

/** A link to the parent page. */
export function BackLink({ path, title }: BackTarget) {
  return <a href={path}>← {title}</a>;
}

/** Content of one page: its heading, which is also the browser tab's title, its main actions and its sections. */
export function Page({ title, back, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${text.common.appName}`;
  }, [title]);
  return (
    <div class={classes(styles.page, 'stack')}>
      <header class={styles.header}>
        <div>
          {back && <BackLink {...back} />}
          <h1>{title}</h1>
          {lead && <p class="muted">{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
