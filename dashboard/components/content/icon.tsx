import arrowDownTray from 'heroicons/16/solid/arrow-down-tray.svg?raw';
import arrowPath from 'heroicons/16/solid/arrow-path.svg?raw';
import arrowRightStartOnRectangle from 'heroicons/16/solid/arrow-right-start-on-rectangle.svg?raw';
import bars3 from 'heroicons/16/solid/bars-3.svg?raw';
import bolt from 'heroicons/16/solid/bolt.svg?raw';
import bookOpen from 'heroicons/16/solid/book-open.svg?raw';
import chartBar from 'heroicons/16/solid/chart-bar.svg?raw';
import check from 'heroicons/16/solid/check.svg?raw';
import checkCircle from 'heroicons/16/solid/check-circle.svg?raw';
import clipboardDocument from 'heroicons/16/solid/clipboard-document.svg?raw';
import clock from 'heroicons/16/solid/clock.svg?raw';
import documentDuplicate from 'heroicons/16/solid/document-duplicate.svg?raw';
import documentText from 'heroicons/16/solid/document-text.svg?raw';
import envelope from 'heroicons/16/solid/envelope.svg?raw';
import exclamationCircle from 'heroicons/16/solid/exclamation-circle.svg?raw';
import exclamationTriangle from 'heroicons/16/solid/exclamation-triangle.svg?raw';
import eye from 'heroicons/16/solid/eye.svg?raw';
import home from 'heroicons/16/solid/home.svg?raw';
import informationCircle from 'heroicons/16/solid/information-circle.svg?raw';
import key from 'heroicons/16/solid/key.svg?raw';
import moon from 'heroicons/16/solid/moon.svg?raw';
import paperAirplane from 'heroicons/16/solid/paper-airplane.svg?raw';
import pencil from 'heroicons/16/solid/pencil.svg?raw';
import photo from 'heroicons/16/solid/photo.svg?raw';
import plus from 'heroicons/16/solid/plus.svg?raw';
import queueList from 'heroicons/16/solid/queue-list.svg?raw';
import rectangleStack from 'heroicons/16/solid/rectangle-stack.svg?raw';
import sun from 'heroicons/16/solid/sun.svg?raw';
import trash from 'heroicons/16/solid/trash.svg?raw';
import xMark from 'heroicons/16/solid/x-mark.svg?raw';
import styles from './icon.module.css';

/** 16-pixel Heroicons (MIT license), by their meaning here. */
const ICONS = {
  home,
  templates: rectangleStack,
  document: documentText,
  email: envelope,
  webhook: bolt,
  key,
  requests: queueList,
  usage: chartBar,
  book: bookOpen,
  moon,
  sun,
  signOut: arrowRightStartOnRectangle,
  menu: bars3,
  plus,
  delete: trash,
  download: arrowDownTray,
  duplicate: documentDuplicate,
  retry: arrowPath,
  copy: clipboardDocument,
  check,
  close: xMark,
  warning: exclamationTriangle,
  danger: exclamationCircle,
  success: checkCircle,
  info: informationCircle,
  history: clock,
  send: paperAirplane,
  edit: pencil,
  image: photo,
  show: eye,
} as const;

export type IconName = keyof typeof ICONS;

/** A 16-pixel icon in the text color. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return <span class={styles.icon} aria-hidden="true" dangerouslySetInnerHTML={{ __html: ICONS[name] }} />;
}
