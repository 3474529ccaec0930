import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { setImmediate as checkPhase } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** A turn shorter than this leaves hardly any time in which a connection comes unseen. */
const SHORT_TURN_MS = 0.1;
/** Four times the connections that a server lets wait by default. */
const MOST_TURNS = 2048;

/**
 * Accepts the connections that wait for it and then no more. The kernel resets those that still wait when a listening
 * socket closes, although their clients take them for open and have sent their requests. Each turn of the event loop
 * accepts one, so the socket is closed after a short turn that accepted none; under connections without end, after
 * the most turns. Open connections stay open.
 */
export async function stopListening(server: Server, connections: Connections): Promise<void> {
  await checkPhase();
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    if (await isQuietTurn(connections)) break;
  }
  // The server's own `close` would also destroy what carries no request at this moment.
  if (server.listening) NetServer.prototype.close.call(server);
}

/** Lets the event loop take in what has arrived on every connection. */
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
