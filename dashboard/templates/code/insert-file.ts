import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { showToast } from '../../components/notices/toasts.tsx';
import { editor as messages } from '../../messages/template-editor.ts';

/** Language that a file is written in. */
type FileTarget = 'html' | 'css';

/** Font media types, which not every system knows. */
const FONT_TYPES: Readonly<Record<string, string>> = {
  otf: 'font/otf',
  ttf: 'font/ttf',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

/** Files that the editor accepts, for a file dialog. */
export const ACCEPTED_FILES = 'image/*,.otf,.ttf,.woff,.woff2';

/** Inserts images and fonts dropped or pasted into the editor as `data:` URIs. */
export function insertDroppedFiles(target: FileTarget): Extension {
  return EditorView.domEventHandlers({
    drop: (event, view) => {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      return insertFrom(event.dataTransfer, view, target, position);
    },
    paste: (event, view) => insertFrom(event.clipboardData, view, target, null),
  });
}

/** Inserts files at a position; null: at the cursor. */
function insertFrom(
  transfer: DataTransfer | null,
  view: EditorView,
  target: FileTarget,
  position: number | null,
): boolean {
  const files = [...(transfer?.files ?? [])];
  if (files.length === 0 || view.state.readOnly) return false;
  if (position !== null) view.dispatch({ selection: { anchor: position } });
  void insertFiles(view, files, target);
  return true;
}

/** Inserts files at the cursor. A file that is neither an image nor a font is rejected with a message. */
export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  target: FileTarget,
): Promise<void> {
  const { pathname } = location;
  for (const file of files) {
    const type = mediaTypeOf(file);
    if (type === undefined) {
      showToast(messages.fileRejected(file.name), pathname);
      continue;
    }
    const source = await sourceOf(file.name, await dataUriOf(file, type), target);
    view.dispatch(view.state.replaceSelection(source), { userEvent: 'input.drop' });
  }
  view.focus();
}

function mediaTypeOf({ name, type }: File): string | undefined {
  const [extension = ''] = /[^.]*$/.exec(name.toLowerCase()) ?? [];
  return FONT_TYPES[extension] ?? (type.startsWith('image/') ? type : undefined);
}

async function dataUriOf(file: File, type: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(reader.error));
  // The system might not provide a type.
  reader.readAsDataURL(new Blob([file], { type }));
  return promise;
}

/** Returns the markup that an author would write for the file. */
async function sourceOf(fileName: string, uri: string, target: FileTarget): Promise<string> {
  const name = fileName.replace(/\.[^.]*$/, '').replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  if (uri.startsWith('data:image/')) {
    return target === 'html'
      ? `<img src="${uri}" alt="${name}"${await sizeAttributes(uri)}>`
      : `url("${uri}")`;
  }
  const rule = `@font-face {\n  font-family: "${name}";\n  src: url("${uri}");\n}\n`;
  return target === 'html' ? `<style>\n${rule}</style>\n` : rule;
}

/** Maximum width of an inserted image, in CSS pixels. */
const MAX_WIDTH = 320;

/** Without a size, a flex container would stretch the image. `object-fit` keeps its proportions in any box. */
async function sizeAttributes(uri: string): Promise<string> {
  const image = new Image();
  image.src = uri;
  // Not every browser can decode every image.
  await image.decode().catch(() => undefined);
  const { naturalWidth, naturalHeight } = image;
  if (naturalWidth === 0 || naturalHeight === 0) return '';
  const width = Math.min(naturalWidth, MAX_WIDTH);
  const height = Math.max(1, Math.round((naturalHeight * width) / naturalWidth));
  return ` width="${width}" height="${height}" style="object-fit: contain"`;
}
