import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { loadS3Config } from './s3-config.ts';
import { S3Store, type S3StoreOptions } from './s3-store.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const SECRET_KEY = 'hunter2-hunter2-hunter2';
const AWAY = { code: 'unavailable', retryable: true };
const HOUR_MS = 3_600_000;

type Respond = (request: IncomingMessage, response: ServerResponse, count: number) => void;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A store without a running server. */
function storeAt(port: number, options: Partial<S3StoreOptions> = {}): S3Store {
  const config = loadS3Config({
    TRIFOLD_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    TRIFOLD_S3_ACCESS_KEY: 'access',
    TRIFOLD_S3_SECRET_KEY: SECRET_KEY,
  });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const store = new S3Store(config, { logger, ...options });
  closing.push(() => store.close());
  return store;
}

/**
 * A store whose server responds with `respond`. `requests` lists the received requests, `connections` counts
 * connections.
 */
async function scripted(respond: Respond, options?: Partial<S3StoreOptions>) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      requests.push(`${request.method} ${request.url?.split('?')[0]}`);
      respond(request, response, requests.length);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const store = storeAt(await listen(server), options);
  return { store, requests, connections: () => connections };
}

const errorBody = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>As the server says.</Message></Error>`;

function reject(response: ServerResponse, status: number, code = ''): void {
  response.writeHead(status, { 'content-type': 'application/xml', 'x-minio-error-code': code });
  response.end(response.req.method === 'HEAD' ? undefined : errorBody(code));
}

function answer(response: ServerResponse, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'last-modified': 'Sat, 21 Nov 2026 03:05:00 GMT', ...headers });
  response.end(body);
}

const everyMethod = (store: S3Store): [string, () => Promise<unknown>][] => [
  ['put', () => store.put('a/b', 'content')],
  ['a conditional put', () => store.put('a/b', 'content', { ifAbsent: true })],
  ['head', () => store.head('a/b')],
  ['get', () => store.get('a/b')],
  ['read', () => store.read('a/b')],
  ['list', () => store.list('a/')],
  ['delete', () => store.delete('a/b')],
  ['deletePrefix', () => store.deletePrefix('a/')],
  ['check', () => store.check()],
  ['prepare', () => store.prepare()],
];

async function expectAway(store: S3Store): Promise<void> {
  await Promise.all(
    everyMethod(store).map(([name, call]) => expect(call(), name).rejects.toMatchObject(AWAY)),
  );
}

describe('S3Store with a broken server', () => {
  it('times out every call if the server never responds', async () => {
    const server = createTcpServer((socket) => socket.resume());
    const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    const store = storeAt(await listen(server), { deadlineMs: 100, checkDeadlineMs: 100 });
    await expectAway(store);
    await expect(store.head('a')).rejects.toThrow(
      /^object store: head a: ETIMEDOUT: no response within 100 ms; check the store, .*firewalls/,
    );
    await eventually(async () => expect(await open()).toBe(0));
  });

  it('is unavailable if no server is listening', async () => {
    const server = createTcpServer(() => {});
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    const store = storeAt(port);
    await expectAway(store);
    await expect(store.head('a')).rejects.toThrow('ECONNREFUSED');
  });

  it('is unavailable if the server does not speak HTTP, and does not quote its response', async () => {
    const server = createTcpServer((socket) => socket.end('SSH-2.0-private-matter\r\n'));
    const store = storeAt(await listen(server));
    await expectAway(store);
    const error = await store.read('a').catch((reason: unknown) => reason);
    expect((error as Error).message).toContain('check TRIFOLD_S3_ENDPOINT');
    const seen = inspect(error, { depth: 20, showHidden: true, maxStringLength: null });
    expect(seen).not.toContain('private-matter');
    expect(seen).not.toContain(
      Buffer.from('private')
        .toString('hex')
        .replace(/..(?=.)/g, '$& '),
    );
  });

  it('is unavailable if the server closes every connection without responding', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await expectAway(storeAt(await listen(server)));
  });

  it.each([500, 502, 503, 504, 429, 403, 400, 418, 301, 307])(
    'is unavailable if the server returns %i for every request',
    async (status) => {
      const { store } = await scripted((_, response) => reject(response, status));
      await expectAway(store);
    },
  );

  // The response to a put has no content to validate.
  it.each([
    [200, '<!DOCTYPE html><body>Welcome to nginx!</body>', ['put', 'a conditional put', 'delete']],
    [404, '404 page not found', []],
  ])('is unavailable when every response is a page with status %i', async (status, page, others) => {
    const { store } = await scripted((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    for (const [name, call] of everyMethod(store)) {
      if (!others.includes(name)) await expect(call(), name).rejects.toMatchObject(AWAY);
    }
  });

  it('does not expose the secret key in its errors', async () => {
    const { store } = await scripted((_, response) => reject(response, 403, 'SignatureDoesNotMatch'));
    for (const [, call] of everyMethod(store)) {
      const error = await call().catch((error: unknown) => error);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET_KEY);
    }
  });
});

describe('S3Store errors', () => {
  const errorOf = async (status: number, code: string) => {
    const { store } = await scripted((_, response) => reject(response, status, code));
    const [read, head] = await Promise.all(
      [store.read('a'), store.head('a')].map((call) => call.catch((error: unknown) => error)),
    );
    expect(head).toMatchObject({ code: (read as { code: string }).code });
    return read as Error & { code: string };
  };

  it.each([
    [404, 'NoSuchBucket', 'unavailable', 'TRIFOLD_S3_BUCKET'],
    [403, 'AccessDenied', 'unavailable', 's3:GetObject on'],
    [403, 'InvalidAccessKeyId', 'unavailable', 'TRIFOLD_S3_ACCESS_KEY'],
    [403, 'SignatureDoesNotMatch', 'unavailable', 'TRIFOLD_S3_SECRET_KEY'],
    [301, 'PermanentRedirect', 'unavailable', 'TRIFOLD_S3_REGION'],
    [501, 'NotImplemented', 'unavailable', 'NotImplemented: As the server says.'],
    [503, 'SlowDown', 'unavailable', 'SlowDown: As the server says.'],
    [507, 'XMinioStorageFull', 'no_space', 'XMinioStorageFull'],
    [403, 'QuotaExceeded', 'no_space', 'QuotaExceeded'],
    [400, 'XMinioInvalidObjectName', 'invalid_key', 'XMinioInvalidObjectName'],
  ])('map %i %s to %s and say what to do', async (status, name, code, words) => {
    const error = await errorOf(status, name);
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(words);
    expect(error.message).toContain(`HTTP ${status}`);
  });

  it.each([
    ['put', 403, 'AccessDenied', 's3:PutObject on'],
    ['head', 403, 'AccessDenied', 's3:GetObject on'],
    ['list', 403, 'AccessDenied', 's3:ListBucket on'],
    ['delete', 403, 'AccessDenied', 's3:DeleteObject on'],
    ['check', 403, 'AccessDenied', 's3:ListBucket on'],
    ['a conditional put', 501, 'NotImplemented', 'If-None-Match'],
  ])('of %s with %i %s name the remedy for this operation', async (name, status, code, advice) => {
    const { store } = await scripted((_, response) => reject(response, status, code));
    const call = everyMethod(store).find(([method]) => method === name)![1];
    await expect(call()).rejects.toThrow(advice);
  });

  it.each<[string, Respond, string]>([
    [
      'a clock one hour behind',
      (_, response) => {
        response.setHeader('date', new Date(Date.now() + HOUR_MS).toUTCString());
        reject(response, 403, 'AccessDenied');
      },
      "this machine's clock is 60 minutes behind the store's",
    ],
    [
      'another region',
      (_, response) => {
        response.setHeader('x-amz-bucket-region', 'eu-west-1');
        reject(response, 301);
      },
      'the bucket is in the region eu-west-1: set TRIFOLD_S3_REGION',
    ],
    [
      'a sign-in page',
      (_, response) => void response.writeHead(302, { location: 'https://login.example.com/' }).end(),
      'a web page, not an S3 service',
    ],
    [
      'a console',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'a web page, not an S3 service',
    ],
    [
      'plain HTTP to a TLS port',
      (_, response) => void response.writeHead(400).end('Client sent an HTTP request to an HTTPS server.\n'),
      'the port expects TLS: use https://',
    ],
    [
      'an error that only a body names',
      (request, response) =>
        request.method === 'HEAD'
          ? void response.writeHead(403).end()
          : reject(response, 403, 'SignatureDoesNotMatch'),
      'TRIFOLD_S3_SECRET_KEY does not belong to TRIFOLD_S3_ACCESS_KEY',
    ],
  ])('name the cause at the first start: %s', async (_, respond, words) => {
    const { store } = await scripted(respond);
    await expect(store.prepare()).rejects.toThrow(words);
  });

  it('do not wait for the end of an endless error body', async () => {
    const { store } = await scripted((_, response) => {
      response.writeHead(400, { 'content-type': 'application/xml' });
      const more = () => response.write(' '.repeat(64 * 1024));
      response.on('drain', more);
      more();
    });
    await expect(store.read('a')).rejects.toMatchObject(AWAY);
  });

  it('leave the connection reusable', async () => {
    const { store, connections } = await scripted((_, response) => reject(response, 503, 'SlowDown'));
    for (let round = 0; round < 20; round += 1) {
      await expect(store.put('a', 'x')).rejects.toMatchObject(AWAY);
    }
    expect(connections()).toBeLessThan(5);
  });
});

describe('S3Store retry policy', () => {
  const once503 =
    (code: string): Respond =>
    (_, response, count) =>
      count === 1 ? reject(response, 503, code) : answer(response, '');

  it('repeats a request once after a temporary error', async () => {
    const { store, requests } = await scripted(once503('SlowDown'));
    expect(await store.put('a', 'x')).toEqual({ created: true });
    expect(requests).toEqual(['PUT /trifold/a%40', 'PUT /trifold/a%40']);
  });

  const conflict: Respond = (_, response, count) =>
    count === 1
      ? reject(response, 409, 'ConditionalRequestConflict')
      : reject(response, 412, 'PreconditionFailed');
  it.each([
    ['was not executed', once503('SlowDown'), true],
    ['was denied once', once503('AccessDenied'), true],
    ['conflicted with another one', conflict, false],
  ])('repeats a conditional put that %s', async (_what, respond, created) => {
    const { store } = await scripted(respond);
    expect(await store.put('a', 'x', { ifAbsent: true })).toEqual({ created });
  });

  it('does not repeat a conditional put that may have succeeded', async () => {
    const cut: Respond = (_, response) => response.socket?.destroy();
    const failed: Respond = (_, response) => reject(response, 500, 'InternalError');
    for (const respond of [cut, failed]) {
      const { store, requests } = await scripted(respond);
      await expect(store.put('a', 'x', { ifAbsent: true })).rejects.toMatchObject(AWAY);
      expect(requests).toHaveLength(1);
      await expect(store.put('a', 'x')).rejects.toMatchObject(AWAY);
      expect(requests).toHaveLength(3);
    }
  });

  it('does not repeat a request after a permanent error', async () => {
    const { store, requests } = await scripted((_, response) => reject(response, 403, 'InvalidAccessKeyId'));
    await expect(store.read('a')).rejects.toMatchObject(AWAY);
    expect(requests).toHaveLength(1);
  });
});

describe('S3Store with an incomplete response', () => {
  const half = 'x'.repeat(50_000);
  const halfAnObject =
    (end: (response: ServerResponse) => void): Respond =>
    (_, response) => {
      const headers = { 'content-length': '100000', 'last-modified': 'Sat, 21 Nov 2026 03:05:00 GMT' };
      response.writeHead(200, headers);
      response.write(half, () => end(response));
    };

  it.each<[string, (response: ServerResponse) => void]>([
    ['breaks', (response) => response.socket?.destroy()],
    ['closes cleanly', (response) => void response.socket?.end()],
  ])('fails the stream, even for a reader that starts later, if the connection %s', async (_, end) => {
    const { store } = await scripted(halfAnObject(end));
    const object = await store.get('a');
    expect(object?.info.size).toBe(100_000);
    await expect(buffer(object!.body)).rejects.toMatchObject(AWAY);
    const { body } = (await store.get('a'))!;
    await eventually(() => expect(body.destroyed).toBe(true));
    await expect(buffer(body)).rejects.toMatchObject(AWAY);
    await expect(store.read('a')).rejects.toMatchObject(AWAY);
  });

  it('does not fail the stream while its reader is paused', async () => {
    const content = 'x'.repeat(1_000_000);
    const { store } = await scripted(
      (request, response, count) => {
        if (request.url?.includes('stalled')) return halfAnObject(() => {})(request, response, count);
        answer(response, content, { 'content-length': String(content.length) });
      },
      { deadlineMs: 500 },
    );
    const paused = (await store.get('paused'))!;
    // These wait longer than the paused stream's timeout.
    await expect(store.read('stalled')).rejects.toMatchObject(AWAY);
    await expect(store.read('stalled')).rejects.toMatchObject(AWAY);
    expect((await buffer(paused.body)).length).toBe(content.length);
  });

  it('fails the stream when no more data arrives', async () => {
    const { store } = await scripted(
      halfAnObject(() => {}),
      { deadlineMs: 2000 },
    );
    await Promise.all([
      expect(store.get('a').then((object) => buffer(object!.body))).rejects.toMatchObject(AWAY),
      expect(store.read('a')).rejects.toThrow('stopped responding'),
    ]);
  });

  const entry = (key: string) =>
    `<Contents><Key>${key}@</Key><LastModified>2026-11-21T03:05:00.123Z</LastModified><Size>1</Size></Contents>`;
  const list = (inner: string) => `<ListBucketResult xmlns="x">${inner}</ListBucketResult>`;

  it.each([
    ['cut off', list(entry('a')).slice(0, -5)],
    ['empty', ''],
    ['another kind of XML', '<Other></Other>'],
    ['missing its continuation token', list(`<IsTruncated>true</IsTruncated>${entry('a')}`)],
    ['missing the size of an entry', list('<Contents><Key>a@</Key></Contents>')],
  ])('rejects a list that is %s', async (_, xml) => {
    const { store } = await scripted((_, response) => answer(response, xml));
    await expect(store.list('')).rejects.toMatchObject(AWAY);
    await expect(store.deletePrefix('a/')).rejects.toMatchObject(AWAY);
  });

  it.each(['', 'ok', '<DeleteResult>', list('')])(
    'does not count a deletion as done if the response is %j',
    async (xml) => {
      const { store } = await scripted((request, response) =>
        answer(response, request.method === 'POST' ? xml : list(entry('a/b'))),
      );
      await expect(store.deletePrefix('a/')).rejects.toMatchObject(AWAY);
    },
  );

  it('reports which deletion failed', async () => {
    const error = '<Error><Key>a/b@</Key><Code>AccessDenied</Code><Message>No.</Message></Error>';
    const rejected = `<DeleteResult>${error}</DeleteResult>`;
    const { store } = await scripted((request, response) =>
      answer(response, request.method === 'POST' ? rejected : list(entry('a/b'))),
    );
    await expect(store.deletePrefix('a/')).rejects.toThrow('s3:DeleteObject');
  });

  it('follows a list across pages with any continuation token', async () => {
    const token = 'a+b/c=&amp;!(*)';
    const tokens: (string | null)[] = [];
    const { store } = await scripted((request, response) => {
      const next = new URL(request.url ?? '', 'http://x').searchParams.get('continuation-token');
      tokens.push(next);
      const more = `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;
      const last = `<IsTruncated>false</IsTruncated>${entry('b')}`;
      answer(response, list(next === null ? more + entry('a') : last));
    });
    expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(tokens).toEqual([null, 'a+b/c=&!(*)']);
  });
});

describe('S3Store.prepare', () => {
  /** A store that has a bucket and supports conditional puts, unless `respond` returns true. */
  const withBucket = (respond: (request: string, response: ServerResponse) => boolean | void): Respond => {
    let puts = 0;
    return (request, response) => {
      const what = `${request.method} ${request.url}`;
      if (respond(what, response) === true) return;
      if (what.startsWith('PUT /trifold/%40')) puts += 1;
      if (puts > 1 && what.startsWith('PUT /trifold/%40')) reject(response, 412, 'PreconditionFailed');
      else answer(response, '');
    };
  };

  /** The same, with a different response to requests about the lifecycle. */
  const withLifecycle = (respond: (response: ServerResponse) => void): Respond =>
    withBucket((request, response) => {
      if (!request.includes('?lifecycle')) return;
      respond(response);
      return true;
    });

  it('rejects a store that ignores conditional puts', async () => {
    const { store } = await scripted((_, response) => answer(response, ''));
    await expect(store.prepare()).rejects.toThrow('ignores If-None-Match');
  });

  it.each([
    [501, 'NotImplemented'],
    [405, 'MethodNotAllowed'],
    [403, 'AccessDenied'],
    [400, 'MalformedXML'],
  ])('continues with a warning if the lifecycle call fails with %i %s', async (status, code) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) };
    const logger = createLogger({ name: 'test', level: 'info', destination });
    const { store } = await scripted(
      withLifecycle((response) => reject(response, status, code)),
      { logger },
    );
    await store.prepare();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'warn', bucket: 'trifold' });
    expect(lines[0]).not.toContain(SECRET_KEY);
  });

  it('does not write a lifecycle that it could not read', async () => {
    const { store, requests } = await scripted(
      withLifecycle((response) => answer(response, '<html>Sign in</html>')),
    );
    await store.prepare();
    expect(requests.filter((request) => request === 'PUT /trifold')).toEqual([]);
  });

  it.each(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'])(
    'continues if another process created the bucket first: %s',
    async (code) => {
      let made = false;
      const { store, requests } = await scripted(
        withBucket((request, response) => {
          if (request === 'HEAD /trifold' && !made) reject(response, 404, 'NoSuchBucket');
          else if (request === 'PUT /trifold') {
            made = true;
            reject(response, 409, code);
          } else if (request === 'GET /trifold?lifecycle') reject(response, 501, 'NotImplemented');
          else return;
          return true;
        }),
      );
      await store.prepare();
      expect(requests.filter((request) => request === 'HEAD /trifold')).toHaveLength(2);
    },
  );

  it('reports a missing permission to create the bucket', async () => {
    const { store } = await scripted((request, response) =>
      request.method === 'HEAD'
        ? reject(response, 404, 'NoSuchBucket')
        : reject(response, 403, 'AccessDenied'),
    );
    await expect(store.prepare()).rejects.toThrow(/create bucket trifold: HTTP 403: AccessDenied/);
  });
});

it('S3Store with a connection limit opens no more connections than allowed and uses all of them', async () => {
  const held: ServerResponse[] = [];
  const { store, connections } = await scripted(
    (_, response) => {
      held.push(response);
      // The server sends no response until three requests are waiting.
      if (held.length === 3) for (const each of held.splice(0)) answer(each, '');
    },
    { maxSockets: 3 },
  );
  await Promise.all(Array.from({ length: 48 }, (_, index) => store.put(`a/${index}`, 'x')));
  expect(connections()).toBe(3);
});

it('S3Store with a connection limit continues to work while all its streams wait for their readers', async () => {
  const content = 'x'.repeat(1_000_000);
  const { store } = await scripted(
    (request, response) =>
      answer(response, request.method === 'GET' ? content : '', {
        ...(request.method === 'GET' && { 'content-length': String(content.length) }),
      }),
    { maxSockets: 2, deadlineMs: HOUR_MS },
  );
  const objects = await Promise.all([store.get('a'), store.get('b')]);
  expect(await store.put('c', 'x')).toEqual({ created: true });
  expect(await store.read('d')).toHaveLength(content.length);
  const third = store.get('e');
  objects[0]?.body.destroy();
  expect((await buffer((await third)!.body)).length).toBe(content.length);
  expect((await buffer(objects[1]!.body)).length).toBe(content.length);
});
