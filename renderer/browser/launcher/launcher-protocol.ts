import type { BrowserKind } from '../process/browser-flags.ts';

/*
 * The protocol between a renderer and the launcher in the browsers' container, over HTTP on a Unix socket:
 * - `GET /browsers?draws-frames=…&scripts=…&background=…` with `Upgrade: devtools` starts a browser. After the 101, the
 *   connection carries the DevTools protocol like a browser's pipes, and the browser lives as long as the connection.
 *   If no browser starts, the response is a 503 with the reason as text.
 * - `GET /browsers/<id>/memory` responds with the browser's private memory in bytes.
 */

export const UPGRADE = 'devtools';
/** Header of the 101 response: the browser's ID, which is its process ID in the launcher's container. */
export const BROWSER_ID = 'browser-id';

export function launchPath({
  drawsFrames = false,
  scripts = false,
  background = false,
}: BrowserKind): string {
  return `/browsers?draws-frames=${drawsFrames}&scripts=${scripts}&background=${background}`;
}

/** Returns the kind in a `launchPath` path; undefined for other paths. */
export function launchKind(path = ''): BrowserKind | undefined {
  const [, drawsFrames, scripts, background] = LAUNCH_PATH.exec(path) ?? [];
  return drawsFrames === undefined
    ? undefined
    : { drawsFrames: drawsFrames === 'true', scripts: scripts === 'true', background: background === 'true' };
}
const LAUNCH_PATH = /^\/browsers\?draws-frames=(true|false)&scripts=(true|false)&background=(true|false)$/;

export function memoryPath(id: number): string {
  return `/browsers/${id}/memory`;
}

/** Returns the ID in a `memoryPath` path; undefined for other paths. */
export function memoryId(path = ''): number | undefined {
  const [, id] = MEMORY_PATH.exec(path) ?? [];
  return id === undefined ? undefined : Number(id);
}
const MEMORY_PATH = /^\/browsers\/(\d{1,10})\/memory$/;
