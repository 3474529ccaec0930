import { signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORED = 'trifold-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** The page theme: the user's choice, otherwise the system theme. */
export const theme = signal<Theme>(chosenTheme() ?? systemTheme());

export function applyTheme(): void {
  theme.subscribe((value) => {
    document.documentElement.dataset['theme'] = value;
  });
  system.addEventListener('change', () => {
    theme.value = chosenTheme() ?? systemTheme();
  });
}

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(STORED, theme.value);
}

function chosenTheme(): Theme | undefined {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : undefined;
}

function systemTheme(): Theme {
  return system.matches ? 'dark' : 'light';
}
