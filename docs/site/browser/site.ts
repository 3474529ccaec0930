/** Copy buttons, table of contents and search for the site. Pages are complete without this script. */
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts';

const MAX_RESULTS = 10;
/** Address of the start page: this script is in a folder of `assets/`. */
const START = new URL('../../', import.meta.url);

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

// Browsers expose the clipboard only to secure pages.
if (isSecureContext) {
  for (const code of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.querySelector('pre')?.textContent ?? '').then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2_000);
      });
    });
    code.append(button);
  }
}

const sidebar = document.querySelector<HTMLElement>('.pages');
const current = sidebar?.querySelector<HTMLElement>('[aria-current]');
if (sidebar && current) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;

const isWide = matchMedia('(width >= 80rem)');
const contents = document.querySelector<HTMLDetailsElement>('.contents');
const openContents = () => {
  if (contents) contents.open = isWide.matches;
};
openContents();
isWide.addEventListener('change', openContents);

const box = document.querySelector<HTMLElement>('.search');
const input = box?.querySelector('input');
const list = box?.querySelector('ul');
if (box && input && list) startSearch(box, input, list);

function startSearch(box: HTMLElement, input: HTMLInputElement, list: HTMLUListElement): void {
  let index: ReturnType<typeof loadIndex> | undefined;
  let selected = -1;

  const select = (next: number) => {
    const options = [...list.children];
    selected = Math.max(-1, Math.min(next, options.length - 1));
    for (const [number, option] of options.entries()) option.ariaSelected = String(number === selected);
    options[selected]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[selected]?.id ?? '');
  };
  const show = (isShown: boolean) => {
    list.hidden = !isShown;
    input.ariaExpanded = String(isShown);
  };
  const search = async () => {
    index ??= loadIndex();
    const query = input.value.trim();
    const results = query === '' ? [] : (await index).search(query).slice(0, MAX_RESULTS);
    // A later query may have finished first.
    if (query !== input.value.trim()) return;
    list.replaceChildren(
      ...results.map((result, number) => resultItem(result as unknown as SearchEntry, number)),
    );
    if (query !== '' && results.length === 0)
      list.append(element('li', { className: 'none', textContent: `Nothing found for “${query}”.` }));
    show(query !== '');
    select(results.length > 0 ? 0 : -1);
  };

  input.addEventListener('focus', () => void search());
  input.addEventListener('input', () => void search());
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Enter') list.children[selected]?.querySelector('a')?.click();
    else if (event.key === 'Escape') input.blur();
    else return;
    event.preventDefault();
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!box.contains(relatedTarget as Node | null)) show(false);
  });
  list.addEventListener('click', () => show(false));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === input || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

async function loadIndex() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('minisearch'),
    fetch(new URL('search.json', import.meta.url)),
  ]);
  return MiniSearch.loadJSON<SearchEntry>(await response.text(), SEARCH_OPTIONS);
}

function resultItem({ url, title, heading, shelf, excerpt }: SearchEntry, number: number): HTMLLIElement {
  const link = element('a', { href: new URL(url, START).href, tabIndex: -1 });
  const place = heading === title ? title : `${title} › ${heading}`;
  link.append(
    element('span', { className: 'shelf', textContent: shelf }),
    element('strong', { textContent: place }),
    element('span', { className: 'excerpt', textContent: excerpt }),
  );
  const item = element('li', { id: `result-${number}`, role: 'option' });
  item.append(link);
  return item;
}
