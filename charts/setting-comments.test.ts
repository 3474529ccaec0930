import { expect, it } from 'vitest';
import { SETTINGS } from '@trifold/platform/service/settings.ts';
import { withSettingComments } from './setting-comments.ts';

it('describes a value as its setting does, and keeps what concerns the chart alone', () => {
  const yaml = `gateway:
  config:
    # Old text
    # in two lines (TRIFOLD_CLOSE_DELAY). Only of the chart.
    closeDelay: 5s
    # Old text (TRIFOLD_CLOSE_WAIT).
    closeWait: 35s
    # No setting.
    other: 1
`;
  const described = withSettingComments(yaml);
  const comment = described.slice(0, described.indexOf('closeDelay')).replaceAll(/\n\s*# /g, ' ');
  const text = SETTINGS.TRIFOLD_CLOSE_DELAY.doc.replace('TRIFOLD_CLOSE_WAIT', 'gateway.config.closeWait');
  expect(comment).toContain(`${text.slice(0, -1)} (TRIFOLD_CLOSE_DELAY). Only of the chart.`);
  expect(described).toContain('    # No setting.\n    other: 1\n');
  expect(Math.max(...described.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(withSettingComments(described)).toBe(described);
});
