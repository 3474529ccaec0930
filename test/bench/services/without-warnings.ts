/**
 * Preloaded by the bench (`node --import`): the service does not search templates that contain UNSEARCHED for warnings
 * in live documents. The service has no such setting.
 */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { UNSEARCHED } from './search-marks.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PRELOAD = [`--import=${import.meta.url}`, `--allow-fs-read=${FOLDER}`];
const isUnsearched = (html: string) => `${html}.includes(${JSON.stringify(UNSEARCHED)})`;

/** By module, code that searches and its replacement. The merge processes inherit neither arguments nor variables. */
const SEARCHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/platform/child-process/bounded-child.ts': {
    'execArgv: [': `execArgv: [...${JSON.stringify(PRELOAD)},`,
  },
  '/platform/templating/merge/template-compiler.ts': {
    'this.#missing ? marked(': `this.#missing && !${isUnsearched('text')} ? marked(`,
  },
  '/renderer/merge/template-merger.ts': {
    '...unshownIn(': `...${isUnsearched('merged.html')} ? [] : unshownIn(`,
    'usedScripts(...textsOf(merged))': `${isUnsearched('html')} ? [] : usedScripts(...textsOf(merged))`,
  },
  '/renderer/task/print-document.ts': {
    'layoutWarnings(page, file,': `${isUnsearched('html')} ? Promise.resolve([]) : layoutWarnings(page, file,`,
  },
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const name = Object.keys(SEARCHES).find((module) => url.endsWith(module));
    if (name === undefined || !loaded.source) return loaded;
    let source = Buffer.from(loaded.source as Uint8Array).toString();
    for (const [search, replacement] of Object.entries(SEARCHES[name] ?? {})) {
      if (!source.includes(search)) throw new Error(`${name} does not contain ${search}`);
      source = source.replace(search, () => replacement);
    }
    return { ...loaded, source };
  },
});
