/** Entry of a process that composes DOCX files. */
import { composeDocx } from './compose.ts';
import type { ComposeReply, ComposeRequest } from './compose-messages.ts';

async function answer(request: ComposeRequest): Promise<ComposeReply> {
  try {
    return { status: 'composed', file: await composeDocx(request) };
  } catch (error) {
    // The message of another's error could quote the document.
    return { status: 'failed', message: error instanceof Error ? error.name : 'unknown' };
  }
}

process.on('message', (request: ComposeRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
// Ctrl-C and service managers signal the whole group; what is in hand is finished first, and the parent says when.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.send?.({ status: 'ready' });
