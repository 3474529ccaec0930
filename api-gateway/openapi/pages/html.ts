/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML in which everything that is not HTML already is escaped; lists are joined, undefined is nothing. */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Html {
  const pieces = parts.map((part, index) => part + textOf(contents[index]));
  return new Html(pieces.join(''));
}

function textOf(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(textOf).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
