import { afterAll, describe, expect, it } from 'vitest';
import { webhookMetrics } from '@trifold/controller/webhooks/webhook-metrics.ts';
import { TEST_EVENT } from '@trifold/crds';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { find, findHelm, Helm, sources } from './helm.ts';
import { EVERYTHING } from './value-sets.ts';

const program = await findHelm();

const SERVICES = '{api-gateway,controller,renderer,platform}/**/*.ts';

describe.skipIf(!program && !process.env['CI'])('Chart alerts and dashboard', () => {
  const helm = new Helm(program ?? 'helm');
  afterAll(() => helm.remove());
  const expressionOf = async (name: string) => {
    const rule = find(await helm.render(EVERYTHING), 'PrometheusRule', 'trifold-alerts');
    const alerts = rule['spec'].groups[0].rules as { alert: string; expr: string }[];
    return alerts.find(({ alert }) => alert === name)!.expr;
  };

  it('uses only existing metrics in alerts and dashboards', async () => {
    const declared = new Set<string>();
    for (const text of await sources(SERVICES)) {
      for (const [, name] of text.matchAll(/name: '(trifold_[a-z_]+)'/g)) declared.add(String(name));
    }
    const manifests = await helm.render(EVERYTHING);
    const rule = find(manifests, 'PrometheusRule', 'trifold-alerts');
    const { data } = find(manifests, 'ConfigMap', 'trifold-dashboard');
    const expressions = [
      ...rule['spec'].groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
        rules.map(({ expr }) => expr),
      ),
      ...(JSON.parse(data['trifold.json']).panels as { targets: { expr: string }[] }[]).flatMap(
        ({ targets }) => targets.map(({ expr }) => expr),
      ),
    ];
    const used = new Set(expressions.flatMap((text: string) => text.match(/\btrifold_[a-z_]+/g) ?? []));
    expect(used.size).toBeGreaterThan(12);
    for (const name of used) {
      const metric = declared.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
      expect(declared, name).toContain(metric);
    }
  });

  it('uses only existing readiness checks in the alert for unavailable backends', async () => {
    const expr = await expressionOf('TrifoldBackendUnavailable');
    const checks = /trifold_readiness_check\{[^}]*check=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    expect(checks).toContain('render-queue');
    const text = (await sources('{api-gateway,controller,renderer}/*.ts')).join('\n');
    for (const check of checks) expect(text).toContain(`name: '${check}', check:`);
  });

  it('excludes endpoint tests from the alert for abandoned events', async () => {
    const expr = await expressionOf('TrifoldWebhooksGivenUp');
    const [, matchers] = /trifold_webhook_deliveries_total\{([^}]*)\}/.exec(expr) ?? [];
    expect(matchers).toContain(`event!="${TEST_EVENT}"`);
    const outcome = /outcome="(\w+)"/.exec(matchers ?? '')?.[1];
    const metrics = new Metrics();
    webhookMetrics(metrics);
    // The series exists before the first failed event; otherwise its increase is not visible.
    const series = `trifold_webhook_deliveries_total{event="document.completed",outcome="${outcome}"} 0`;
    expect(await metrics.render()).toContain(series);
  });

  it('uses only existing error codes in the alert for failing renderers', async () => {
    const expr = await expressionOf('TrifoldRenderersFail');
    const codes = /outcome=~"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [];
    expect(codes.length).toBeGreaterThan(5);
    const text = (await sources('renderer/**/*.ts')).join('\n');
    const unknown = codes.filter((code) => {
      // `store_.*` codes are built from the error codes of the object store.
      const written = code.endsWith('.*') ? `\`${code.slice(0, -2)}\${` : `'${code}'`;
      return !text.includes(written);
    });
    expect(unknown).toEqual([]);
  });
});
