import type { KeyMode } from '@trifold/crds';

/** Purpose of a file: a document of a live or test key, or a preview. */
export type DocumentMode = KeyMode | 'preview';

export type WatermarkText = 'TEST' | 'PREVIEW';

const TEXTS: Readonly<Record<DocumentMode, WatermarkText | undefined>> = {
  live: undefined,
  test: 'TEST',
  preview: 'PREVIEW',
};

/** Returns the text that every page of the file must show; undefined for a live document. */
export function watermarkText(mode: DocumentMode): WatermarkText | undefined {
  return TEXTS[mode];
}
