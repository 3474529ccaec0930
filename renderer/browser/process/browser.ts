import type { Readable, Writable } from 'node:stream';
import { systemClock } from '@trifold/platform/async/clock.ts';
import type { Connection } from 'puppeteer-core';
// The whole package takes 150 ms and another 25 MB of packages to load.
import { Connection as ProtocolConnection } from 'puppeteer-core/internal/cdp/Connection.js';
import type { BrowserKind } from './browser-flags.ts';
import { PipeTransport } from './pipe-transport.ts';

/** A running browser that responds to commands: a child process, or a process behind a launcher's socket. */
export interface RunningBrowser {
  /** Process ID. A launcher in another container has a separate process ID namespace. */
  readonly pid: number;
  readonly alive: boolean;
  /** The DevTools protocol; see PipeTransport. */
  readonly commands: Writable;
  readonly answers: Readable;
  /** Resolves when the browser or the connection to its launcher is gone. */
  readonly exited: Promise<void>;
  /** Private memory of all the browser's processes, in bytes; 0 if unknown. */
  memoryBytes(): Promise<number>;
  /** Kills all the browser's processes; a launcher does so a moment later. */
  stop(): Promise<void>;
}

/** Starts browsers: as child processes, or with a launcher in another container. */
export interface BrowserLauncher {
  /** Resolves when the browser responds to commands. Rejects with BrowserLaunchError, SetupError or an abort. */
  launch(kind?: BrowserKind): Promise<RunningBrowser>;
}

/** Milliseconds allowed for connecting to a responsive browser. */
const CONNECT_MS = 30_000;

/** A protocol message contains a document in base64 and little else. */
const messageBytes = (documentBytes: number) => Math.ceil((documentBytes * 4) / 3) + 64 * 1024;

export interface Browser extends RunningBrowser {
  /** Product and version, for example `HeadlessChrome/153.0.7912.0`. */
  readonly version: string;
  readonly connection: Connection;
  /** The underlying transport; use it to send long strings. */
  readonly transport: PipeTransport;
  readonly maxDocumentBytes: number;
}

/**
 * Connects to a browser; the transport closes when the browser sends a document of more than `maxDocumentBytes`. Stops
 * the browser and rejects when it does not respond.
 */
export async function connectBrowser(running: RunningBrowser, maxDocumentBytes: number): Promise<Browser> {
  const transport = new PipeTransport(running.commands, running.answers, messageBytes(maxDocumentBytes));
  try {
    const connected = await systemClock.withTimeout(() => connectTo(transport), CONNECT_MS);
    return Object.assign(running, { ...connected, transport, maxDocumentBytes });
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/**
 * Puppeteer creates an error for every command before sending it. Its stack says nothing that the command's name
 * does not, and recording it takes longer than sending the command.
 */
class StacklessConnection extends ProtocolConnection {
  override _rawSend(...command: Parameters<ProtocolConnection['_rawSend']>): Promise<never> {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return super._rawSend(...command) as Promise<never>;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

/** Only Puppeteer's protocol client: it does not attach to targets by itself, so a document takes only two commands. */
async function connectTo(transport: PipeTransport): Promise<Pick<Browser, 'connection' | 'version'>> {
  // The sender of a command sets its timeout.
  const noTimeout = 0;
  const noLog = () => undefined;
  const connection = new StacklessConnection('', transport, 0, noTimeout, undefined, undefined, noLog);
  const { product } = await connection.send('Browser.getVersion');
  // The package declares its public types a second time.
  return { connection: connection as unknown as Connection, version: product };
}
