import { expect, it } from 'vitest';
import { createLogger } from './logging.ts';

function logOf(level: string, speak: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  speak(createLogger({ level, name: 'gateway', destination: { write: (line) => void lines.push(line) } }));
  return lines;
}

const KEY = `tf_live_${'A1b2'.repeat(10)}xyz`;

it('writes one JSON object per line with level, name, time, message and fields', () => {
  const lines = logOf('info', (logger) =>
    logger.child({ part: 'x' }).info({ job: 'gen-1' }, 'a job is done'),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    name: 'gateway',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    part: 'x',
    job: 'gen-1',
    msg: 'a job is done',
  });
});

it('writes an error under err with its message, stack and cause', () => {
  const [line] = logOf('info', (logger) =>
    logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'it failed'),
  );
  const { err } = JSON.parse(line ?? '') as { err: { message: string; stack: string } };
  expect(err.message).toContain('outer');
  expect(err.stack).toContain('inner');
});

it.each([
  ['request headers', { req: { headers: { authorization: `Bearer ${KEY}`, cookie: 'a=b-secret' } } }],
  ['headers alone', { headers: { 'x-api-key': 'b-secret', 'set-cookie': ['b-secret'] } }],
  ['fields by name', { token: 'b-secret', deep: { deeper: { password: 'b-secret' } } }],
  ['a key in a string', { note: `the key ${KEY} was sent` }],
  ['a key in an error message', { err: new Error(`bad key ${KEY}`) }],
  ['a bearer token in a string', { note: `Authorization: Bearer ${'b-secret'.repeat(3)}` }],
])('redacts secrets: %s', (_, fields) => {
  const [line] = logOf('info', (logger) => logger.info(fields, 'something happened'));
  expect(line).not.toContain(KEY);
  expect(line).not.toContain('b-secret');
  expect(line).toContain('[redacted]');
  expect(() => JSON.parse(line ?? '')).not.toThrow();
});

it('does not redact the names of objects and object store keys', () => {
  const fields = { key: 'documents/20261121T0305Z/default/gen-1', namespace: 'default', name: 'tf-template' };
  const [line] = logOf('info', (logger) => logger.info(fields, 'something happened'));
  expect(JSON.parse(line ?? '')).toMatchObject(fields);
});
