import type { Download } from '@trifold/client';
import { saveFile } from '../components/save-file.ts';
import { useAction, type Action } from '../loading/action.ts';

/** Wraps a client download: the browser saves the file once it is complete. */
export function useDownload<Arguments extends unknown[]>(
  start: (...given: Arguments) => Promise<Download>,
): Action<Arguments> {
  return useAction(async (...given: Arguments) => {
    const { stream, filename } = await start(...given);
    saveFile(await new Response(stream).blob(), filename);
  });
}
