import * as ICONS from './icons.ts';
import styles from './icon.module.css';

export type IconName = keyof typeof ICONS;

/** A 16-pixel icon in the text color. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  // oxlint-disable-next-line import/namespace -- the name is an icon's
  return <span class={styles.icon} aria-hidden="true" dangerouslySetInnerHTML={{ __html: ICONS[name] }} />;
}
