import { attributesOf, stringAt, type LaidOut, type ParsedSnapshot } from './snapshot-tree.ts';
import { pixels } from './units.ts';

/** Chromium's labels for buttons without a value. */
const LABELS: Readonly<Record<string, string>> = {
  submit: 'Submit',
  reset: 'Reset',
  file: 'Choose File No file chosen',
};
const WITHOUT_TEXT = new Set([
  'hidden',
  'image',
  'range',
  'color',
  'date',
  'time',
  'month',
  'week',
  'datetime-local',
]);
const BUTTONS = new Set(['submit', 'reset', 'button', 'file']);
/** Width of a non-breaking space, as a fraction of the font size. */
const SPACE = 0.3;
const MAX_SPACES = 200;

/** Text of form controls: browsers draw it, but it is not in their children. */
export class Controls {
  readonly #snapshot: ParsedSnapshot;
  readonly #checked: ReadonlySet<number>;
  readonly #selected: ReadonlySet<number>;
  readonly #values: ReadonlyMap<number, number>;
  readonly #children: ReadonlyMap<number, readonly number[]>;

  constructor(snapshot: ParsedSnapshot, children: ReadonlyMap<number, readonly number[]>) {
    const { inputChecked, optionSelected, inputValue, textValue } = snapshot.nodes;
    this.#snapshot = snapshot;
    this.#children = children;
    this.#checked = new Set(inputChecked?.index);
    this.#selected = new Set(optionSelected?.index);
    const values = [inputValue, textValue].map(
      (rare) => rare?.index.map((node, at) => [node, rare.value[at]] as const) ?? [],
    );
    this.#values = new Map(values.flat().map(([node, value = -1]) => [node, value]));
  }

  /** Returns the text that a browser draws in a control. */
  textsOf(node: LaidOut): LaidOut[] {
    const text = this.#textOf(node);
    if (text === undefined) return [];
    const style = { ...node.style, 'white-space-collapse': 'preserve' };
    return [{ ...node, name: '#text', text, style, attributes: {}, children: [] }];
  }

  #textOf(node: LaidOut): string | undefined {
    if (node.name === 'input') return this.#inputText(node);
    if (node.name === 'textarea')
      return this.#field(node, stringAt(this.#snapshot, this.#values.get(node.index)));
    if (node.name === 'select') return this.#selectText(node);
    return undefined;
  }

  #inputText(node: LaidOut): string | undefined {
    const type = (node.attributes['type'] ?? 'text').toLowerCase();
    const value = stringAt(this.#snapshot, this.#values.get(node.index));
    if (type === 'checkbox' || type === 'radio') return this.#state(node, type);
    if (WITHOUT_TEXT.has(type)) return undefined;
    if (BUTTONS.has(type)) return type === 'file' || value === '' ? LABELS[type] : value;
    return this.#field(node, type === 'password' ? '•'.repeat(value.length) : value);
  }

  /** With `appearance: none`, a control shows what its styles draw: their content, or an empty border. */
  #state({ index, style }: LaidOut, type: 'checkbox' | 'radio'): string | undefined {
    const isStyled = style.appearance === 'none';
    const isEmptyBox = style['border-top-style'] !== 'none' && this.#childrenOf(index).length === 0;
    if (isStyled && !isEmptyBox) return undefined;
    return (type === 'checkbox' ? '☑☐' : '◉○').charAt(this.#checked.has(index) && !isStyled ? 0 : 1);
  }

  /** Fills the field with spaces, so that it is as wide as in the browser. */
  #field({ attributes, style, box }: LaidOut, value: string): string {
    const text = value || (attributes['placeholder'] ?? '');
    const spaces = Math.floor(box.width / (pixels(style['font-size']) * SPACE)) - text.length * 2;
    return text + '\u00a0'.repeat(Math.min(MAX_SPACES, Math.max(0, spaces) || 0));
  }

  /** A list shows all its options, one per line. */
  #selectText({ index, attributes }: LaidOut): string {
    const options = [...this.#optionsIn(index)];
    const isList = attributes['multiple'] !== undefined || Number(attributes['size']) > 1;
    const shown = isList
      ? options
      : [options.find((option) => this.#selected.has(option)) ?? options[0] ?? -1];
    return shown.map((option) => this.#label(option)).join('\n');
  }

  *#optionsIn(index: number): Generator<number> {
    for (const child of this.#childrenOf(index)) {
      const name = stringAt(this.#snapshot, this.#snapshot.nodes.nodeName?.[child]);
      if (name === 'OPTION') yield child;
      else yield* this.#optionsIn(child);
    }
  }

  #label(option: number): string {
    const { nodeValue } = this.#snapshot.nodes;
    const label = attributesOf(this.#snapshot, option)['label'];
    if (label) return label;
    const texts = this.#childrenOf(option).map((child) => stringAt(this.#snapshot, nodeValue?.[child]));
    return texts.join('').replaceAll(/\s+/g, ' ').trim();
  }

  #childrenOf(index: number): readonly number[] {
    return this.#children.get(index) ?? [];
  }
}
