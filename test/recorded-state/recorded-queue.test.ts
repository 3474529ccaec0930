import { readFile } from 'node:fs/promises';
import { TaskSeal } from '@trifold/platform/render-queue/bullmq/task-seal.ts';
import { taskNamed } from '@trifold/platform/render-queue/conformance/sample-tasks.ts';
import { expect, it } from 'vitest';
import { filesOf, recordedVersions, type RecordedQueue } from './recording.ts';

it.each(recordedVersions())('The tasks that version %s sealed can be opened', async (version) => {
  const { taskKeys, waiting, entries } = JSON.parse(
    await readFile(filesOf(version).queue, 'utf8'),
  ) as RecordedQueue;
  const seal = new TaskSeal(taskKeys);
  for (const id of waiting) {
    const entry = entries.find(({ key }) => key.endsWith(`:${id}`));
    const { data = '' } = entry?.type === 'hash' ? entry.content : {};
    const { expiresAt: _expiresAt, ...task } = seal.openTask(id, JSON.parse(data)) ?? {};
    expect(task).toEqual(taskNamed(id));
  }
});
