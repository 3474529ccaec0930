import type { PrintSettings } from '../page/document-page.ts';

/** Every browser prints this before its first document: it loads fonts and starts the printing process. */
export const WARM_UP_HTML = `<!doctype html><html><head><meta charset="utf-8"><title>Warm-up</title>
<style>body { font-family: sans-serif } b { font-family: serif } td { border: 1px solid #888 }</style></head>
<body><h1>Warm-up</h1><b>bold</b> <i>italic</i><table><tr><td>1</td><td>2</td></tr></table></body></html>`;

export const WARM_UP_SETTINGS: PrintSettings = {
  paperWidth: 8.5,
  paperHeight: 11,
  marginTop: 0.4,
  marginRight: 0.4,
  marginBottom: 0.4,
  marginLeft: 0.4,
  printBackground: true,
};
