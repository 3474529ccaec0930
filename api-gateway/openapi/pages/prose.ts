import { html, type Html } from './html.ts';

/** The little markdown that descriptions use: paragraphs, lists with `- `, and `code`. */
export function prose(text: string | undefined): Html[] {
  return (text ?? '')
    .split(/\n{2,}/)
    .filter((block) => block !== '')
    .map((block) => (block.startsWith('- ') ? list(block) : html`<p>${inline(block)}</p>`));
}

/** One line of it. */
export function inline(text: string | undefined): Html[] {
  return (text ?? '')
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

function list(block: string): Html {
  const items = block.split(/^- /m).filter((item) => item !== '');
  return html`<ul>
    ${items.map((item) => html`<li>${inline(item.trim())}</li>`)}
  </ul>`;
}
