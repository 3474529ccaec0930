import { afterAll, describe, expect, it } from 'vitest';
import { page, section } from '../docs/pages.ts';
import { eventually } from '../support/eventually.ts';
import { AttackersView, type Column } from './attackers-view.ts';
import { Installation } from './installation.ts';

/** Network plugins apply a policy some time after the pod has started. */
const ENFORCED_MS = 90_000;

const installation = await Installation.connect();
const view = await AttackersView.prepare(installation);
afterAll(() => view.stop());

/** Returns the columns of the first table in a string. */
function columnsOf(text: string): Record<string, Column> {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .replaceAll('`', '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const column = (index: number) => Object.fromEntries(rows.map((row) => [row[0], row[index] ?? '']));
  return Object.fromEntries(head.slice(1).map((name, index) => [name, column(index + 1)]));
}

describe('The security page', () => {
  it('lists exactly what each compromised component can reach', async () => {
    const text = section(
      await page('docs/threat-model.md'),
      'What an attacker can reach from each component',
    );
    const listed = columnsOf(text);
    const look = async () => expect(await view.columns()).toEqual(listed);
    await eventually(look, { timeoutMs: ENFORCED_MS, intervalMs: 1000 });
  });
});
