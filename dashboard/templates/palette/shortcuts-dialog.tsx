import { Dialog } from '../../components/notices/dialog.tsx';
import { palette as messages } from '../../messages/palette.ts';
import styles from './palette.module.css';

/** Returns keys as labeled on this machine's keyboard. */
export function keysText(keys: string): string {
  const isMac = /^(?:Mac|iP)/.test(navigator.platform);
  return isMac ? keys.replaceAll('Mod+', '⌘').replaceAll('Alt+', '⌥') : keys.replaceAll('Mod', 'Ctrl');
}

/** The editor's keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={messages.shortcuts} onClose={onClose}>
      <dl class={styles.shortcuts}>
        {Object.values(messages.keys).map(([keys = '', meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keysText(keys)}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
