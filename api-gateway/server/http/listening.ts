import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { setImmediate as checkPhase } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** In a turn shorter than this, hardly any connection can arrive unnoticed. */
const SHORT_TURN_MS = 0.1;
/** Four times the default backlog of a server. */
const MOST_TURNS = 2048;

/**
 * Accepts the pending connections and then no more. When a listening socket closes, the kernel resets the connections
 * that are still pending, although their clients consider them open and have sent their requests. Each turn of the
 * event loop accepts one, so the socket is closed after a short turn that accepted none, or after MOST_TURNS if new
 * connections never stop. Open connections stay open.
 */
export async function stopListening(server: Server, connections: Connections): Promise<void> {
  await checkPhase();
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    if (await isQuietTurn(connections)) break;
  }
  // The server's own `close` would also destroy connections without a request at this moment.
  if (server.listening) NetServer.prototype.close.call(server);
}

/** Lets the event loop read what has arrived on every connection. */
export async function takeInArrived(): Promise<void> {
  await checkPhase();
  await checkPhase();
}

async function isQuietTurn(connections: Connections): Promise<boolean> {
  const { accepted } = connections;
  const begun = performance.now();
  await checkPhase();
  return connections.accepted === accepted && performance.now() - begun < SHORT_TURN_MS;
}
