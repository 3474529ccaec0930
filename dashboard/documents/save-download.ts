import type { Download } from '@trifold/client';
import { saveFile } from '../components/save-file.ts';
import { useAction, type Action } from '../loading/action.ts';

/** Wraps a download of the client: the browser saves the file once all of it is there. */
export function useDownload<Arguments extends unknown[]>(
  start: (...given: Arguments) => Promise<Download>,
): Action<Arguments> {
  return useAction(async (...given: Arguments) => {
    const { stream, filename } = await start(...given);
    saveFile(await new Response(stream).blob(), filename);
  });
}
