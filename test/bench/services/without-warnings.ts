/**
 * Preloaded by the bench (`node --import`): runs the service without its search for warnings in live documents. The
 * service has no such setting.
 */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const PRELOAD = [`--import=${import.meta.url}`, `--allow-fs-read=${fileURLToPath(import.meta.url)}`];

/** By module, code that searches and its replacement. The merge processes inherit neither arguments nor variables. */
const SEARCHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/platform/child-process/bounded-child.ts': {
    'execArgv: [': `execArgv: [...${JSON.stringify(PRELOAD)},`,
  },
  '/renderer/merge/template-merger.ts': {
    'recordsMissing: true': 'recordsMissing: false',
    '...unshownIn(merged, request, images.isSuspect)': '',
    'usedScripts(...textsOf(merged))': '[]',
  },
  '/renderer/task/print-document.ts': {
    'layoutWarnings(page, file, { html, settings, mode: features.mode, total })': 'Promise.resolve([])',
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
