import type { ResolvedRenderOptions } from '@trifold/crds';
import { findLackOfRoom, pageGeometry } from '@trifold/platform/templates/page-geometry.ts';
import type { PrintSettings } from '../browser/document-page.ts';
import { TaskError } from './task-error.ts';

/** How Chromium is told. Throws TaskError `options_invalid` when the margins leave nothing of the page. */
export function printSettings(options: ResolvedRenderOptions): PrintSettings {
  const page = pageGeometry(options);
  const problem = findLackOfRoom(page);
  if (problem) throw new TaskError('options_invalid', `options.margins: ${problem}`);
  return {
    paperWidth: page.width,
    paperHeight: page.height,
    marginTop: page.margins.top,
    marginRight: page.margins.right,
    marginBottom: page.margins.bottom,
    marginLeft: page.margins.left,
    printBackground: options.printBackground,
  };
}
