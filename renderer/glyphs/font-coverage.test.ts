import { createLogger } from '@trifold/platform/service/logging.ts';
import { expect, it, vi } from 'vitest';
import { FontCoverage } from './font-coverage.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

it('checks the fonts once, and only for documents that use other scripts than Latin', async () => {
  const find = vi.fn(() => Promise.resolve(['Thai', 'Tibetan']));
  const fonts = new FontCoverage(find, logger);
  expect(await fonts.uncovered()).toEqual([]);
  expect(find).not.toHaveBeenCalled();
  const both = [fonts.uncovered(['Greek', 'Thai']), fonts.uncovered(['Greek'])];
  expect(await Promise.all(both)).toEqual([['Thai'], []]);
  expect(find).toHaveBeenCalledTimes(1);
});

it('reports no script when the check fails, and repeats the check for the next document', async () => {
  const find = vi.fn<() => Promise<string[]>>();
  find.mockRejectedValueOnce(new Error('the browser died')).mockResolvedValueOnce(['Thai']);
  const fonts = new FontCoverage(find, logger);
  expect(await fonts.uncovered(['Thai'])).toEqual([]);
  expect(await fonts.uncovered(['Thai'])).toEqual(['Thai']);
});
