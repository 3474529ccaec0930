import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { classes } from '../components/classes.ts';
import { Badge } from '../components/content/badge.tsx';
import { Icon } from '../components/content/icon.tsx';
import { Button } from '../components/controls/button.tsx';
import { errorMessage } from '../components/notices/notice.tsx';
import { showToast } from '../components/notices/toasts.tsx';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import type { PagePalette } from './page-palette.tsx';
import { sectionOf, SECTIONS } from './sections.ts';
import { theme, toggleTheme } from './theme.ts';
import { LeaveDialog, leavePage } from './unsaved-changes.tsx';
import styles from './frame.module.css';

const { navigation } = text;

const STORED_RAIL = 'trifold-rail';

/** Whether a wide window shows only the navigation's icons. Stored in this browser. */
const isRailCollapsed = signal(localStorage.getItem(STORED_RAIL) === 'collapsed');
isRailCollapsed.subscribe((collapsed) =>
  localStorage.setItem(STORED_RAIL, collapsed ? 'collapsed' : 'shown'),
);

/** The frame around every page: the navigation, the account and the theme. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const { allows } = useSession();
  const { path } = useLocation();
  const current = sectionOf(path.replace(/^\/dashboard\/?(?=\/|$)/, ''));
  const isOpen = useSignal(false);
  useEffect(() => void (isOpen.value = false), [path]);
  return (
    <div class={classes(styles.frame, isRailCollapsed.value && styles.collapsed)}>
      <a class={styles.skip} href="#content">
        {text.common.skipToContent}
      </a>
      <header class={styles.bar}>
        <a class={styles.brand} href="/dashboard/">
          <img src="/dashboard/favicon.svg" alt="" width="24" height="24" />
          <span>{text.common.appName}</span>
        </a>
        <Button
          kind="quiet"
          class={styles.rail}
          aria-label={isRailCollapsed.value ? navigation.show : navigation.collapse}
          title={isRailCollapsed.value ? navigation.show : navigation.collapse}
          aria-expanded={!isRailCollapsed.value}
          aria-controls="navigation"
          onClick={() => void (isRailCollapsed.value = !isRailCollapsed.value)}
        >
          {isRailCollapsed.value ? '»' : '«'}
        </Button>
        <Button
          class={styles.menu}
          icon="menu"
          aria-expanded={isOpen.value}
          aria-controls="navigation"
          onClick={() => void (isOpen.value = !isOpen.value)}
        >
          {navigation.menu}
        </Button>
      </header>
      <div class={classes(styles.side, isOpen.value && styles.open)} id="navigation">
        <div class={styles.inner}>
          <nav aria-label={navigation.label}>
            <ul>
              {SECTIONS.filter(({ scope }) => scope === undefined || allows(scope)).map((section) => (
                <li key={section.path}>
                  <a
                    href={`/dashboard${section.path || '/'}`}
                    aria-current={section === current ? 'page' : undefined}
                    title={isRailCollapsed.value ? section.label : undefined}
                  >
                    <Icon name={section.icon} />
                    <span>{section.label}</span>
                  </a>
                </li>
              ))}
              <li>
                <a href="/docs/api/" target="_blank" rel="noreferrer">
                  <Icon name="book" />
                  <span>{navigation.apiReference}</span>
                </a>
              </li>
            </ul>
          </nav>
          <Account />
        </div>
      </div>
      <main class={styles.main} id="content" tabIndex={-1}>
        {children}
      </main>
      <LeaveDialog />
      <Commands />
    </div>
  );
}

/** Ctrl+K (Cmd on a Mac) shows the commands of the page. The editor has more of them. */
function Commands() {
  const Shown = useSignal<typeof PagePalette | undefined>(undefined);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      import('./page-palette.tsx').then(
        (loaded) => void (Shown.value = loaded.PagePalette),
        () => showToast(text.errors.unreachable),
      );
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return Shown.value ? <Shown.value onClose={() => void (Shown.value = undefined)} /> : null;
}

function Account() {
  const session = useSession();
  const { signedIn } = session;
  if (!signedIn.value) return null;
  const { account, key } = signedIn.value;
  const themeLabel = theme.value === 'dark' ? navigation.themeLight : navigation.themeDark;
  return (
    <footer class={classes(styles.account, 'stack')}>
      <div>
        <p>{text.session.signedInAs(account)}</p>
        <p class="small muted">
          {key.name} <code>…{key.last_four}</code>
        </p>
        <p class="row">
          {key.type === 'test' && <Badge kind="warning">{text.session.testMode}</Badge>}
          {session.isReadOnly.value && (
            <span title={text.session.readOnlyHint}>
              <Badge>{text.session.readOnly}</Badge>
            </span>
          )}
        </p>
      </div>
      <div class="row">
        <Button
          kind="quiet"
          icon={theme.value === 'dark' ? 'sun' : 'moon'}
          title={isRailCollapsed.value ? themeLabel : undefined}
          onClick={toggleTheme}
        >
          <span>{themeLabel}</span>
        </Button>
        <Button
          kind="quiet"
          icon="signOut"
          title={isRailCollapsed.value ? text.session.signOut : undefined}
          onClick={() =>
            leavePage(() => void session.signOut().catch((error: unknown) => showToast(errorMessage(error))))
          }
        >
          <span>{text.session.signOut}</span>
        </Button>
      </div>
    </footer>
  );
}
