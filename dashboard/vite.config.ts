import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** URL of a running service for `npm run dev`, which serves only the pages. */
const SERVICE = process.env['TRIFOLD_URL'] ?? 'http://127.0.0.1:8080';

/** Modules that most pages use, bundled into one file: each small file would cost 450 bytes of headers. */
const SHARED = /\/dashboard\/(?!templates\/)|\/(?:@?preact|clients|heroicons)\//;

/**
 * Code of PDF.js that the service's files do not need: a global with every export, which keeps the annotation editors
 * in the bundle, the Brotli stream decoder with its dictionary, and XFA forms.
 */
const UNUSED: readonly (readonly [code: RegExp, replacement: string])[] = [
  [/globalThis\.pdfjsLib = \{[^}]*\};/, ''],
  [/= makeBrotliDecode\(\);/, '= () => new Int8Array();'],
  [/new XFAFactory\(data\)|XFAFactory\.getRichTextAsHtml\([^;]*\)(?=;)/g, 'null'],
];

/** Removes unused code, so that a first page loads two seconds sooner on a slow network. */
const smallPdfJs: Plugin = {
  name: 'small-pdf-js',
  transform: {
    filter: { id: /pdfjs-dist\/build\/pdf(?:\.worker)?\.mjs/ },
    handler: (code) =>
      UNUSED.reduce((rest, [unused, replacement]) => rest.replace(unused, replacement), code),
  },
};

export default defineConfig({
  plugins: [smallPdfJs],
  root: HERE,
  base: '/dashboard/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: {
      '@trifold/client': fileURLToPath(new URL('../clients/typescript/index.ts', import.meta.url)),
      '@codemirror/lang-javascript': fileURLToPath(
        new URL('templates/code/no-script-language.ts', import.meta.url),
      ),
    },
  },
  // Readable names, which the tests use. The file names are unique.
  css: {
    modules: {
      generateScopedName: (name, file) => `${basename(file.split('?')[0] ?? '', '.module.css')}_${name}`,
    },
  },
  worker: { format: 'es', plugins: () => [smallPdfJs] },
  // The gateway replaces the placeholder with each response's nonce (api-gateway/dashboard/pages.ts).
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    target: 'es2022',
    // The page's policy does not allow `data:` scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED, minShareCount: 2 }] } },
    },
  },
  server: {
    proxy: {
      '^/(v1/|dashboard/session|dashboard/sign-in|dashboard/frame)': { target: SERVICE, changeOrigin: true },
    },
  },
});
