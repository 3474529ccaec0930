import { describe, expect, it } from 'vitest';
import { live, stranger } from './service-under-test.ts';

describe('Operator endpoints without a key', () => {
  it.each(['/healthz', '/readyz'])('%s reports a healthy service', async (path) => {
    expect((await stranger.get(path)).status).toBe(200);
  });

  it('/metrics returns counters in the Prometheus text format', async () => {
    const { id } = await live.createTemplate();
    await live.generate(id, { name: 'metrics' });
    const answer = await stranger.get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^(text\/plain|application\/openmetrics-text)\b/);
    expect(answer.text).toMatch(/^# TYPE \S+ (counter|gauge|histogram)$/m);
    expect(answer.text).toMatch(/^trifold_\S+ \d/m);
    for (const line of answer.text.split('\n')) {
      expect(line).toMatch(/^(#.*|[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? [-+0-9.eEINFNa]+( \d+)?|)$/);
    }
    // No keys or ids: they would create one series per document.
    expect(answer.text).not.toMatch(/tf_(live|test)_|gen-[0-9a-z]{26}|tpl-[0-9a-z]{26}/);
  });
});
