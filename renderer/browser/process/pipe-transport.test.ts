import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PipeTransport } from './pipe-transport.ts';

function receive(chunks: readonly Buffer[], limit = 1000): { messages: string[]; transport: PipeTransport } {
  const input = new PassThrough();
  const messages: string[] = [];
  const onmessage = (message: string) => void messages.push(message);
  const transport = Object.assign(new PipeTransport(new PassThrough(), input, limit), { onmessage });
  for (const chunk of chunks) input.emit('data', chunk);
  return { messages, transport };
}

describe('messages of a browser', () => {
  const TEXTS = ['{"a":"ü€🦄"}', '', '{}', '🦄🦄'];
  const bytes = Buffer.from(TEXTS.map((text) => `${text}\0`).join(''));

  it.each([1, 2, 3, 5, 7, 100])('are the same in pieces of %i bytes', (size) => {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(receive(chunks).messages).toEqual(TEXTS);
  });

  it('close the transport when one is over the limit', () => {
    const { messages, transport } = receive(
      [Buffer.from('{}\0'), Buffer.alloc(6, 'x'), Buffer.alloc(5, 'x')],
      10,
    );
    expect(messages).toEqual(['{}']);
    expect(transport.overflowed).toBe(true);
  });
});
