import { describe, expect, it } from 'vitest';
import { COMPLETED, TASK_KEYS, taskNamed } from '../conformance/sample-tasks.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { TaskSeal } from './task-seal.ts';

const NEWER = 'another-key-that-only-tests-of-the-queue-use';
const seal = new TaskSeal(TASK_KEYS);
const task = taskNamed('one-1');

describe('Sealed tasks', () => {
  it('are readable only with the key', () => {
    const sealed = seal.sealTask(task);
    expect(seal.openTask('one-1', sealed)).toEqual(task);
    expect(new TaskSeal([NEWER]).openTask('one-1', sealed)).toBeUndefined();
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toMatch(/acme|revisions/);
    expect(seal.sealTask(task)).not.toBe(sealed);
  });

  it('cannot be moved to another task, or to an outcome', () => {
    expect(seal.openTask('two-1', seal.sealTask(task))).toBeUndefined();
    expect(seal.openTask('one-1', seal.sealOutcome('one-1', COMPLETED))).toBeUndefined();
    expect(seal.openOutcome('one-1', seal.sealTask(task))).toBeUndefined();
    expect(seal.openOutcome('one-1', seal.sealOutcome('two-1', COMPLETED))).toBeUndefined();
    expect(seal.openOutcome('one-1', seal.sealOutcome('one-1', COMPLETED))).toEqual(COMPLETED);
  });

  it('cannot be altered anywhere', () => {
    const bytes = Buffer.from(seal.sealTask(task), 'base64');
    for (const place of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(place) ^ 1, place);
      expect(seal.openTask('one-1', altered.toString('base64'))).toBeUndefined();
    }
    for (let length = 0; length < 60; length += 1) {
      expect(seal.openTask('one-1', bytes.subarray(0, length).toString('base64'))).toBeUndefined();
    }
    for (const other of [task, undefined, null, 1, '', 'forged']) {
      expect(seal.openTask('one-1', other)).toBeUndefined();
    }
  });

  it('are sealed with the newest key and can also be read with the previous one', () => {
    const both = new TaskSeal([NEWER, ...TASK_KEYS]);
    expect(both.openTask('one-1', seal.sealTask(task))).toEqual(task);
    expect(new TaskSeal([NEWER]).openTask('one-1', both.sealTask(task))).toEqual(task);
  });
});

describe('Task keys', () => {
  const keysOf = (text: string) =>
    readSettings({ TRIFOLD_TASK_KEYS: text }, { keys: 'TRIFOLD_TASK_KEYS' }).keys;

  it('can be one or two', () => {
    expect(keysOf(NEWER)).toEqual([NEWER]);
    expect(keysOf(`${NEWER},${TASK_KEYS[0]}`)).toEqual([NEWER, TASK_KEYS[0]]);
  });

  it.each(['short', `${NEWER},`, `${NEWER},${NEWER},${NEWER}`, `${NEWER} ${NEWER}`, `${NEWER}\n`])(
    'cannot be %j, and the error does not quote it',
    (text) => {
      const load = () => keysOf(text);
      expect(load).toThrow('TRIFOLD_TASK_KEYS must be one or two keys');
      expect(load).not.toThrow(NEWER);
    },
  );

  it('must be set', () => {
    expect(() => keysOf('')).toThrow('TRIFOLD_TASK_KEYS must be set');
  });
});
