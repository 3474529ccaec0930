import { lengthInInches, type ResolvedRenderOptions } from '@trifold/crds';
import type { PrintSettings } from '../browser/document-page.ts';
import { TaskError } from './task-error.ts';

/** Width and height in portrait, in inches (interface, "Generation options"). */
const PAPER = {
  letter: [8.5, 11],
  a4: [210 / 25.4, 297 / 25.4],
  legal: [8.5, 14],
} as const;

/** How Chromium is told. Throws TaskError `options_invalid` when the margins leave nothing of the page. */
export function printSettings(options: ResolvedRenderOptions): PrintSettings {
  const [short, long] = PAPER[options.pageSize];
  const landscape = options.orientation === 'landscape';
  const { top, right, bottom, left } = options.margins;
  const settings: PrintSettings = {
    paperWidth: landscape ? long : short,
    paperHeight: landscape ? short : long,
    marginTop: lengthInInches(top),
    marginRight: lengthInInches(right),
    marginBottom: lengthInInches(bottom),
    marginLeft: lengthInInches(left),
    printBackground: options.printBackground,
  };
  assertRoom('left and right', settings.paperWidth - settings.marginLeft - settings.marginRight);
  assertRoom('top and bottom', settings.paperHeight - settings.marginTop - settings.marginBottom);
  return settings;
}

function assertRoom(sides: string, inches: number): void {
  if (inches > 0) return;
  throw new TaskError('options_invalid', `options.margins: ${sides} together leave no room on the page`);
}
