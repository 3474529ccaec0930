import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { LoggedRequest } from './logged-request.ts';
import { RequestLog } from './request-log.ts';

const DAY = 24 * 3_600_000;
const TODAY = 'requests/20261121/acme/uid-acme/';
const MAX = BOUNDS.requestLog.limit.value;
const MAX_READ = BOUNDS.requestLogReads.limit.value;
const READERS = BOUNDS.requestLogReaders.limit.value;
const logger = createLogger({ level: 'silent', name: 'test' });

let root: string;
let clock: FakeClock;
let store: DirectoryStore;
let puts: string[];
let reads: string[];
let failure: Error | undefined;
/** Uids of existing accounts. */
let uids: Map<string, string>;
let log: RequestLog;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trifold-requests-'));
  onTestFinished(async () => {
    await log.stop();
    await rm(root, { recursive: true, maxRetries: 5 });
  });
  clock = new FakeClock('2026-11-21T12:00:00Z');
  const directory = new DirectoryStore({ root });
  [puts, reads, failure] = [[], [], undefined];
  store = Object.assign(Object.create(directory) as DirectoryStore, {
    list: directory.list.bind(directory),
    async read(key: string) {
      reads.push(key);
      return directory.read(key);
    },
    async put(key: string, body: string) {
      puts.push(key);
      if (failure) throw failure;
      return directory.put(key, body);
    },
  });
  uids = new Map([['acme', 'uid-acme']]);
  log = logOf('gw-1');
});

function logOf(gateway: string): RequestLog {
  const accounts = { accountUid: (account: string) => uids.get(account) };
  return new RequestLog({ store, accounts, gateway, clock, logger });
}

/** Adds requests one millisecond apart and returns their IDs, oldest first. */
function add(count = 1, more: Partial<LoggedRequest> & { to?: RequestLog; account?: string } = {}): string[] {
  const { to = log, account = 'acme', ...fields } = more;
  return Array.from({ length: count }, () => {
    clock.advance(1);
    const request_id = newId('req', clock.now());
    const route = '/v1/generate';
    to.add(account, {
      request_id,
      method: 'POST',
      route,
      status: 422,
      code: null,
      resource_id: null,
      template_id: null,
      key_id: 'key-1',
      duration_ms: 3,
      ...fields,
    });
    return request_id;
  });
}

const ids = async (from = log) => (await from.read('acme')).map(({ request_id }) => request_id);

/** Lets the given number of writes finish, one second apart. */
async function written(count: number): Promise<void> {
  clock.advance(1_000);
  await eventually(() => puts.length >= count);
  await eventually(async () => (await store.list('requests/')).objects.length > 0);
}

it('keeps the latest failed requests, and separately the latest successful writes', async () => {
  const failed = add(MAX + 20);
  const writes = add(MAX + 1, { status: 201 });
  expect(await ids()).toEqual([...writes.slice(1).toReversed(), ...failed.slice(20).toReversed()]);
});

it('writes once a second, and other gateways read the entries', async () => {
  const first = add(3);
  expect([puts, await ids(logOf('gw-2'))]).toEqual([[], []]);
  await written(1);
  const second = logOf('gw-2');
  await eventually(async () => expect(await ids(second)).toEqual(first.toReversed()));
  const own = add(1, { to: second });
  add(900);
  expect(await ids(second)).toEqual([...own, ...first.toReversed()]);
  await written(2);
  await eventually(() => expect(puts.toSorted()).toEqual([`${TODAY}gw-1`, `${TODAY}gw-1`, `${TODAY}gw-2`]));
});

it('writes at most 16 logs a second, longest-waiting first', async () => {
  const accounts = Array.from({ length: 20 }, (_, index) => `account-${index}`);
  for (const account of accounts) uids.set(account, `uid-${account}`);
  for (const account of [...accounts, 'account-0']) add(1, { account });
  await written(16);
  const names = () => puts.map((key) => key.split('/')[2] ?? '').toSorted();
  expect(names()).toEqual(accounts.slice(0, 16).toSorted());
  await clock.passUntil(1_000, async () => puts.length === 20);
  expect(names()).toEqual(accounts.toSorted());
});

it('retries ten seconds after a failure, and writes everything when stopped normally', async () => {
  failure = new Error('the store is away');
  add();
  clock.advance(1_000);
  await eventually(() => puts.length === 1);
  failure = undefined;
  let seconds = 0;
  await clock.passUntil(1_000, async () => {
    seconds += 1;
    return puts.length === 2;
  });
  expect(seconds).toBeGreaterThanOrEqual(10);
  add();
  await log.stop();
  expect(await ids(logOf('gw-2'))).toHaveLength(2);
  expect(puts).toHaveLength(3);
});

it('reads seven past days, each request once, drops older requests, and ignores objects that no gateway wrote', async () => {
  const [old = ''] = add();
  await written(1);
  await store.put(`${TODAY}foreign`, 'x\n{"request_id":5}\nnull');
  for (let day = 1; day <= 6; day++) {
    clock.advance(DAY);
    add();
    await written(1 + day);
    await eventually(async () => (await store.list('requests/')).objects.length === 2 + day);
  }
  const reader = logOf('gw-2');
  expect(await ids(reader)).toHaveLength(7);
  clock.advance(DAY);
  expect(await ids(reader)).toContain(old);
  add();
  clock.advance(DAY);
  for (const each of [reader, log]) expect(await ids(each)).not.toContain(old);
});

it('reads the newest 16 objects of a day once for concurrent requests, and earlier days only if needed', async () => {
  const expected: string[] = [];
  for (let gateway = 0; gateway <= MAX_READ; gateway++) {
    const other = logOf(`gw-old-${gateway}`);
    expected.unshift(...add(1, { to: other }));
    await other.stop();
    await utimes(join(root, 'objects', `${TODAY}gw-old-${gateway}@`), gateway, gateway);
  }
  reads.length = 0;
  const reader = logOf('gw-2');
  const newest = expected.slice(0, MAX_READ);
  expect(await Promise.all([ids(reader), ids(reader)])).toEqual([newest, newest]);
  expect(reads).toHaveLength(MAX_READ);
  clock.advance(DAY);
  add(MAX, { status: 201 });
  add(MAX);
  await log.stop();
  reads.length = 0;
  expect(await ids(reader)).toHaveLength(2 * MAX);
  expect(reads).toEqual(['requests/20261122/acme/uid-acme/gw-1']);
});

it('reads the logs of four accounts at a time', async () => {
  const listed = new Set<string>();
  const held = Promise.withResolvers<void>();
  store.list = async (prefix) => {
    listed.add(prefix);
    await held.promise;
    return { objects: [], prefixes: [] };
  };
  const accounts = Array.from({ length: READERS + 1 }, (_, index) => `account-${index}`);
  for (const account of accounts) uids.set(account, account);
  const all = Promise.all(accounts.map(async (account) => log.read(account)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(listed.size).toBe(READERS);
  held.resolve();
  expect(await all).toHaveLength(READERS + 1);
});

it("does not show a former account's requests to a new account with the same name", async () => {
  add();
  await written(1);
  uids.set('acme', 'uid-of-another');
  expect(await ids()).toEqual([]);
  const own = add();
  expect(await ids()).toEqual(own);
  uids.delete('acme');
  expect([add(), await ids()]).toEqual([[expect.any(String)], []]);
});

it('drops the log of the least recently active account beyond 16 MiB, and later adds to its object', async () => {
  const busy = Array.from({ length: 40 }, (_, index) => `busy-${index}`);
  for (const account of busy) uids.set(account, `uid-${account}`);
  const [first = ''] = add();
  await written(1);
  const large = { resource_id: 'x'.repeat(1000) };
  for (const account of busy) add(MAX, { account, ...large });
  const [later = ''] = add();
  await log.stop();
  expect(await ids(logOf('gw-2'))).toEqual([later, first]);
  expect(puts.filter((key) => key.startsWith(TODAY))).toEqual([`${TODAY}gw-1`, `${TODAY}gw-1`]);
});
