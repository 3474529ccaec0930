import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SETTINGS } from '@trifold/platform/settings/settings.ts';
import { withSettingSchemas, withSettingValues } from './chart-settings.ts';

const VALUES = await readFile(new URL('trifold/values.yaml', import.meta.url), 'utf8');
const SCHEMA = await readFile(new URL('trifold/values.schema.json', import.meta.url), 'utf8');
const STORED_BYTES = /( *#.*\n)+ *maxStoredBytes: .*\n/;

it("withSettingValues writes a setting's value with its description and the chart's defaults and notes", () => {
  const lacking = VALUES.replace(STORED_BYTES, '').replace('closeWait: 35s', 'closeWait: 1s');
  const described = withSettingValues(lacking);
  expect(described).toBe(VALUES);
  const [block = ''] = STORED_BYTES.exec(described) ?? [];
  const text = SETTINGS.TRIFOLD_MAX_STORED_BYTES.doc;
  expect(block.replaceAll(/\n? *# ?/g, ' ').trim()).toBe(
    `${text.slice(0, -1)} (TRIFOLD_MAX_STORED_BYTES).\n    maxStoredBytes: 50Gi`,
  );
  expect(Math.max(...block.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});

it("withSettingValues and withSettingSchemas remove a former setting's value and schema", () => {
  const former = '    # Old (TRIFOLD_OLD).\n    old: 1\n';
  expect(withSettingValues(VALUES.replace(STORED_BYTES, (block) => block + former))).toBe(VALUES);
  const schema = JSON.parse(SCHEMA) as { properties: Record<string, object> };
  schema.properties['old'] = { $comment: 'TRIFOLD_OLD', type: 'string' };
  expect(withSettingSchemas(JSON.stringify(schema))).toBe(SCHEMA);
});
