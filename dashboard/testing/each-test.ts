import { afterEach, beforeEach } from 'vitest';
import { Dashboard } from './dashboard.ts';

/** The dashboard, opened for each test in a file that imports this. */
export let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await Dashboard.open();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await dashboard.describe());
  await dashboard.close();
});
