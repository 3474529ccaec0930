import { signal } from '@preact/signals';

export const MIN_HEIGHT = 96;
export const MAX_HEIGHT = 640;

const STORED = 'trifold-problems-height';
const DEFAULT_HEIGHT = 224;

/** Height of the drawers that list problems, in pixels. This browser remembers it. */
export const drawerHeight = signal(storedHeight());
drawerHeight.subscribe((height) => localStorage.setItem(STORED, String(height)));

function storedHeight(): number {
  const stored = Number(localStorage.getItem(STORED));
  return stored >= MIN_HEIGHT && stored <= MAX_HEIGHT ? stored : DEFAULT_HEIGHT;
}
