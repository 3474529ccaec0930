import { StateField, type EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { formatBytes } from '../../components/format.ts';

/** A file embedded in the text, long enough to obscure the text around it. The bounds keep the search linear. */
const DATA_URI = /data:([\w.+-]{1,60}\/[\w.+-]{1,90})(?:;[\w.+=-]{1,90}){0,3};base64,([A-Za-z0-9+/=]{64,})/g;
const BYTES_PER_CHARACTER = 3 / 4;

class FoldedFile extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: FoldedFile): boolean {
    return other.#text === this.#text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-folded-data';
    element.textContent = this.#text;
    return element;
  }
}

function findFiles({ doc }: EditorState): DecorationSet {
  const found = Array.from(
    doc.toString().matchAll(DATA_URI),
    ({ index, 0: uri, 1: type, 2: content = '' }) => {
      const widget = new FoldedFile(`data:${type}, ${formatBytes(content.length * BYTES_PER_CHARACTER)}`);
      return Decoration.replace({ widget }).range(index, index + uri.length);
    },
  );
  return Decoration.set(found);
}

/** Shows each `data:` URI as its type and size. The cursor treats it as one character. */
export const foldedDataUris: Extension = StateField.define<DecorationSet>({
  create: findFiles,
  update: (files, { docChanged, state }) => (docChanged ? findFiles(state) : files),
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of((view) => view.state.field(field)),
  ],
});
