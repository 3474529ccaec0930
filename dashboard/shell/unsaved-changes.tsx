import { signal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../components/controls/button.tsx';
import { Dialog, DialogActions } from '../components/notices/dialog.tsx';
import { text } from '../messages/text.ts';

const hasUnsaved = signal(false);
/** The user's action that awaits confirmation. */
const waiting = signal<(() => void) | undefined>(undefined);

/** Runs an action that leaves the page, after confirmation if the page has unsaved changes. */
export function leavePage(leave: () => void): void {
  if (hasUnsaved.value) waiting.value = leave;
  else leave();
}

/** Asks for confirmation before the user leaves the page while the signal is true. */
export function useUnsavedChanges(unsaved: ReadonlySignal<boolean>): void {
  useSignalEffect(() => void (hasUnsaved.value = unsaved.value));
  useEffect(() => () => void (hasUnsaved.value = false), []);
}

/** Asks for confirmation before a link, Back or Forward, or the browser itself leaves a page with unsaved changes. */
function useLeaveQuestion(): void {
  const { url, route } = useLocation();
  const shown = useRef(url);
  shown.current = url;
  // Children run their layout effects first, so these listeners run before the router's.
  useLayoutEffect(() => {
    const onLink = (event: MouseEvent) => {
      const href = hasUnsaved.value ? linkOf(event) : undefined;
      if (href === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      leavePage(() => route(href));
    };
    const onTraversal = (event: PopStateEvent) => {
      if (!hasUnsaved.value || isSamePage(shown.current)) return;
      event.stopImmediatePropagation();
      // The browser has already navigated: this restores the page's URL, and one step back completes the navigation.
      history.pushState(null, '', shown.current);
      leavePage(() => history.back());
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasUnsaved.value) event.preventDefault();
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('click', onLink, { capture: true, signal });
    addEventListener('popstate', onTraversal, { signal });
    addEventListener('beforeunload', onUnload, { signal });
    return () => listeners.abort();
  }, []);
}

/** The confirmation dialog. It is part of the frame, so that every page can use it. */
export function LeaveDialog() {
  useLeaveQuestion();
  if (!waiting.value) return null;
  const close = () => void (waiting.value = undefined);
  const leave = () => {
    const confirmed = waiting.value;
    close();
    hasUnsaved.value = false;
    confirmed?.();
  };
  return (
    <Dialog title={text.unsaved.title} onClose={close}>
      <p>{text.unsaved.text}</p>
      <DialogActions>
        <Button onClick={close}>{text.unsaved.stay}</Button>
        <Button kind="danger" onClick={leave}>
          {text.unsaved.leave}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Returns the URL if a click on a link opens another page in this tab. */
function linkOf(event: MouseEvent): string | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || opensElsewhere(event, link) || link.origin !== location.origin) return undefined;
  return link.pathname === location.pathname ? undefined : link.pathname + link.search;
}

/** Whether the browser shows the page at a URL, ignoring its query and fragment. */
function isSamePage(url: string): boolean {
  return new URL(url, location.origin).pathname === location.pathname;
}

function opensElsewhere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  return (
    button !== 0 || ctrlKey || metaKey || shiftKey || altKey || link.target !== '' || link.download !== ''
  );
}
