import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../process/logging.ts';
import { HeldTasks } from '../conformance/held-tasks.ts';
import { COMPLETED, taskNamed } from '../conformance/sample-tasks.ts';
import { InProcessQueue } from './in-process-queue.ts';
import { TakenTasksFile } from './taken-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
let directory: string;

beforeEach(() => void (directory = testDirectory()));

/** The file as the next process opens it. The previous one need not be closed, for example if it was killed. */
const nextProcess = () => new TakenTasksFile(join(directory, 'tasks-in-hand'), logger);

const idsInFile = () =>
  readFileSync(join(directory, 'tasks-in-hand'), 'utf8')
    .split('\n')
    .map((id) => id.trim())
    .filter((id) => id !== '');

describe('The file of active tasks', () => {
  it('reports to the next process which tasks were active', () => {
    const first = nextProcess();
    expect(first.lost).toEqual([]);
    for (const id of ['a-1', 'b-1', 'c-1']) first.take(id);
    first.putDown('b-1');
    first.putDown('never-taken');
    first.take('d-2');
    expect([...nextProcess().lost].toSorted()).toEqual(['a-1', 'c-1', 'd-2']);
  });

  it('also reports them to the process after that, in case the next one dies first', () => {
    nextProcess().take('a-1');
    nextProcess().take('b-1');
    expect(nextProcess().lost).toEqual(['a-1', 'b-1']);
  });

  it('keeps as many records as there were concurrent tasks and drops the oldest lost ones', () => {
    const first = nextProcess();
    for (let n = 0; n < 1000; n += 1) {
      first.take(`task-${n}`);
      first.putDown(`task-${n}`);
    }
    expect(statSync(join(directory, 'tasks-in-hand')).size).toBe(64);
    for (let n = 0; n < 300; n += 1) first.take(`lost-${n}`);
    const { lost } = nextProcess();
    expect(lost).toHaveLength(256);
    expect(lost.at(-1)).toBe('lost-299');
    expect(statSync(join(directory, 'tasks-in-hand')).size).toBe(256 * 64);
  });

  it('skips an ID that does not fit into a record and stays valid', () => {
    const first = nextProcess();
    first.take('x'.repeat(64));
    first.take('a-1');
    expect(nextProcess().lost).toEqual(['a-1']);
  });

  it('continues without counting when it is no longer writable', () => {
    const first = nextProcess();
    first.close();
    expect(() => first.take('a-1')).not.toThrow();
    expect(() => first.putDown('a-1')).not.toThrow();
  });
});

describe('An in-process render queue with a file of active tasks', () => {
  it('fails only the tasks that were active when the process ended', async () => {
    const died = new InProcessQueue({ takenTasks: nextProcess() });
    const taken: string[] = [];
    const handler = async (task: { id: string }) => {
      taken.push(task.id);
      return task.id === 'done-1' ? COMPLETED : new Promise<never>(() => undefined);
    };
    died.work(handler, { concurrency: 1 });
    for (const id of ['done-1', 'hangs-1', 'waits-1']) await died.add(taskNamed(id));
    await eventually(() => expect(taken).toEqual(['done-1', 'hangs-1']));

    const queue = new InProcessQueue({ takenTasks: nextProcess() });
    const lost = { status: 'failed', failure: { code: 'renderer_lost', retryable: true } };
    expect(await queue.state('hangs-1')).toMatchObject(lost);
    for (const id of ['done-1', 'waits-1']) expect(await queue.state(id)).toEqual({ status: 'unknown' });
    // Like every finished task, it does not run again under its ID.
    await queue.add(taskNamed('hangs-1'));
    expect(await queue.state('hangs-1')).toMatchObject(lost);
    await queue.close();
  });

  it('does not count tasks that were requeued because the process stopped', async () => {
    const stopped = new InProcessQueue({ takenTasks: nextProcess() });
    const held = new HeldTasks();
    const worker = stopped.work(held.handler, { concurrency: 1 });
    await stopped.add(taskNamed('slow-1'));
    await eventually(() => expect(held.active).toEqual(['slow-1']));
    await worker.close(0);
    expect(await stopped.state('slow-1')).toEqual({ status: 'waiting' });
    await stopped.close();

    const queue = new InProcessQueue({ takenTasks: nextProcess() });
    expect(await queue.state('slow-1')).toEqual({ status: 'unknown' });
    await queue.close();
  });

  it('counts an exclusive task from the moment it runs, not while it is waiting', async () => {
    const died = new InProcessQueue({ takenTasks: nextProcess() });
    const held = new HeldTasks();
    died.work(held.handler, { concurrency: 2 });
    await died.add(taskNamed('busy-1'));
    await died.add({ ...taskNamed('alone-1'), exclusive: true });
    await eventually(async () => expect(await died.state('alone-1')).toEqual({ status: 'active' }));
    expect(held.active).toEqual(['busy-1']);
    expect(idsInFile()).toEqual(['busy-1']);
    held.finish('busy-1');
    await eventually(() => expect(held.active).toEqual(['alone-1']));
    expect(idsInFile()).toEqual(['alone-1']);
  });
});
