/** Creates templates as fast as it can and says each name once the create was answered. Runs until it is killed. */
import { writeSync } from 'node:fs';
import { TEMPLATE } from '@trifold/crds';
import { openTestPlane, templateDraft } from './plane.ts';

const [file = '', round = ''] = process.argv.slice(2);
const { client } = await openTestPlane(file);
const templates = client.resource(TEMPLATE);
for (let index = 0; ; index += 1) {
  const name = `round-${round}-${index}`;
  await templates.create(templateDraft(name));
  await templates.patchStatus({ namespace: 'default', name }, { status: { version: 1 } });
  // Said when this returns: what waits in the memory of a process goes with it.
  writeSync(1, `${name}\n`);
}
