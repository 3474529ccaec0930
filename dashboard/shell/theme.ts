import { signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORED = 'trifold-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** The page theme: the user's choice, otherwise the system theme. */
export const theme = signal<Theme>(wantedTheme());

export function applyTheme(): void {
  theme.subscribe((value) => {
    document.documentElement.dataset['theme'] = value;
  });
  system.addEventListener('change', () => void (theme.value = wantedTheme()));
}

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORED, theme.value);
}

function wantedTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  if (stored === 'light' || stored === 'dark') return stored;
  return system.matches ? 'dark' : 'light';
}
