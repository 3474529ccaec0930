import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { ResourceClient } from '../client/client.ts';
import { EVENT, EventRecorder, type CoreEvent } from './event-recorder.ts';
import { jsonResponse, statusResponse, thingOf } from '../testing/model-api.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from '../client/transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

let clock: FakeClock;
let sent: { method: string; path: string; body: Partial<CoreEvent> }[];
let response: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
let recorder: EventRecorder;

const transport: ApiTransport = {
  async send(request) {
    const { method, path, body = '{}' } = request;
    sent.push({ method, path, body: JSON.parse(body) as Partial<CoreEvent> });
    return response(request);
  },
};

beforeEach(() => {
  clock = new FakeClock();
  sent = [];
  response = () => jsonResponse(201, {});
  recorder = new EventRecorder({
    client: new ResourceClient<CoreEvent>(transport, EVENT),
    component: 'trifold-controller',
    clock,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
});

afterEach(() => recorder.stop());

/** Records the same event once more and waits for the write. */
async function warn(): Promise<void> {
  recorder.warn(thing(), 'Bad', 'it is bad');
  await recorder.flush();
}

/** Returns the writes with the number of occurrences in each. */
const writes = () => sent.map(({ method, body }) => `${method} ${body.count}`);

const thing = (name = 'a', uid = 'uid-a') => thingOf(name, { uid });

it('writes a Warning about the object in its namespace', async () => {
  recorder.warn(thing(), 'DoesNotCompile', 'line 3, column 7: unexpected token');
  await recorder.flush();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    method: 'POST',
    path: '/api/v1/namespaces/default/events',
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'default', name: expect.stringMatching(/^a\.[0-9a-f]+$/) },
      involvedObject: {
        apiVersion: 'test.example/v1',
        kind: 'Thing',
        namespace: 'default',
        name: 'a',
        uid: 'uid-a',
        resourceVersion: '7',
      },
      type: 'Warning',
      reason: 'DoesNotCompile',
      message: 'line 3, column 7: unexpected token',
      source: { component: 'trifold-controller' },
      firstTimestamp: '2026-11-21T12:00:00Z',
      lastTimestamp: '2026-11-21T12:00:00Z',
      count: 1,
    },
  });
});

it('counts repeats in the same Event, at most every 30 seconds', async () => {
  await warn();
  for (let time = 0; time < 5; time += 1) {
    clock.advance(1000);
    recorder.warn(thing(), 'Bad', 'it is bad');
  }
  await recorder.flush();
  expect(sent).toHaveLength(1);
  clock.advance(25_000);
  await warn();
  expect(sent).toHaveLength(2);
  const name = sent[0]?.body.metadata?.name;
  expect(sent[1]).toEqual({
    method: 'PATCH',
    path: `/api/v1/namespaces/default/events/${name}`,
    body: { count: 7, lastTimestamp: '2026-11-21T12:00:30Z' },
  });
});

it('writes separate Events for different reasons, messages and objects', async () => {
  recorder.warn(thing(), 'Bad', 'it is bad');
  recorder.warn(thing(), 'Worse', 'it is bad');
  recorder.warn(thing(), 'Bad', 'it is worse');
  recorder.warn(thing('a', 'uid-of-its-successor'), 'Bad', 'it is bad');
  await recorder.flush();
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
  expect(new Set(sent.map(({ body }) => body.metadata?.name)).size).toBe(4);
});

it('writes a new Event if the server deleted the old one', async () => {
  await warn();
  clock.advance(2 * 60 * 60_000);
  response = (request) =>
    request.method === 'PATCH' ? statusResponse(404, 'NotFound') : jsonResponse(201, {});
  await warn();
  expect(writes()).toEqual(['POST 1', 'PATCH 2', 'POST 2']);
});

it('truncates text that is too long for the API server', async () => {
  recorder.warn(thing('n'.repeat(253)), 'R'.repeat(500), 'm'.repeat(5000));
  await recorder.flush();
  expect(sent[0]?.body.metadata?.name).toHaveLength(253);
  expect(sent[0]?.body.reason).toHaveLength(128);
  expect(sent[0]?.body.message).toHaveLength(1024);
});

it('neither throws nor stops when the server returns errors or is unavailable', async () => {
  response = () => Promise.reject(new Error('connect ECONNREFUSED'));
  await warn();
  response = () => statusResponse(403, 'Forbidden');
  await warn();
  response = () => jsonResponse(201, {});
  await warn();
  expect(writes()).toEqual(['POST 1', 'POST 2', 'POST 3']);
});

it('does not block the caller and times out if the server does not respond', async () => {
  response = () => new Promise(() => {});
  recorder.warn(thing(), 'Bad', 'it is bad');
  recorder.warn(thing('b', 'uid-b'), 'Bad', 'it is bad');
  expect(sent).toHaveLength(1);
  clock.advance(10_000);
  await eventually(() => expect(sent.length).toBe(2), { timeoutMs: 20_000 });
});

it('drops Events instead of using unbounded memory', async () => {
  const gate = Promise.withResolvers<ApiResponse>();
  response = () => gate.promise;
  for (let index = 0; index < 3000; index += 1) recorder.warn(thing('a', `uid-${index}`), 'Bad', 'it is bad');
  response = () => jsonResponse(201, {});
  gate.resolve(jsonResponse(201, {}));
  await recorder.flush();
  expect(sent).toHaveLength(1001);
});

it('does not write anything after stop', async () => {
  await warn();
  recorder.warn(thing(), 'Bad', 'it is bad');
  await recorder.stop();
  recorder.warn(thing(), 'Other', 'it is bad');
  clock.advance(60_000);
  await recorder.flush();
  expect(sent).toHaveLength(1);
  expect(clock.pending).toBe(0);
});
