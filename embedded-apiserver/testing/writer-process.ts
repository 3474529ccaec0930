/** Creates templates as fast as possible and prints each name after the create succeeds. Runs until killed. */
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
  // Synchronous, because output buffered in the process is lost when it is killed.
  writeSync(1, `${name}\n`);
}
