import { isDeepStrictEqual } from 'node:util';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { EVENT, type CoreEvent } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { keepSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { DEEP_BLOCKS, MANY_COMMENTS } from '@trifold/test-support/hostile-templates.ts';
import { ControllerFixture, type Service } from '../testing/controller-fixture.ts';

const fixture = ControllerFixture.forEachTest();

const AT = { namespace: 'default', name: 'invoice' };

async function checked(generation = 1) {
  return eventually(async () => {
    const template = await fixture.templates.get('default', 'invoice');
    return template.status?.observedGeneration === generation && template;
  });
}

function statusWrites(service: Service): number {
  return service.transport.requests.filter(
    ({ method, path }) => method === 'PUT' && path.endsWith('/templates/invoice/status'),
  ).length;
}

describe('The template controller', () => {
  it('reports the line and column of a syntax error and emits a warning', async () => {
    await fixture.boot();
    await fixture.template({ html: '<p>\n  {{#if total}}\n</p>' });
    const { status } = await checked();
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'False', reason: 'SyntaxError' }]);
    // The position where the block opens, not the end of the string.
    expect(status?.error).toMatchObject({ line: 2, column: 3 });
    expect(status?.revision).toBeUndefined();
    const event = await eventually(async () => {
      const events = await fixture.kubernetes.builtin<CoreEvent>(EVENT).list({ namespace: 'default' });
      return events.items[0] ?? false;
    });
    const involvedObject = { kind: 'Template', name: 'invoice' };
    expect(event).toMatchObject({ type: 'Warning', reason: 'SyntaxError', involvedObject });
  });

  it('sets Ready again after a fix and removes it after the next error', async () => {
    await fixture.boot();
    await fixture.template({ html: '{{#if}}' });
    await checked(1);
    await fixture.templates.patch(AT, { spec: { html: '<p>{{number}}</p>' } });
    const mended = await checked(2);
    expect(mended.status).toMatchObject({ observedGeneration: 2, version: 2 });
    expect(mended.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: 'Compiled' }]);
    expect(mended.status?.revision).toMatch(/^[0-9a-f]{64}$/);
    expect(mended.status?.error).toBeUndefined();
    await fixture.templates.patch(AT, { spec: { html: '{{/if}}' } });
    const broken = await checked(3);
    expect(broken.status).toMatchObject({ version: 3, conditions: [{ status: 'False' }] });
    expect(broken.status?.revision).toBeUndefined();
  });

  it('writes the status once per version, and not again after a restart', async () => {
    const first = await fixture.boot();
    await fixture.template();
    await checked();
    await fixture.templates.patch(AT, { metadata: { labels: { seen: 'yes' } } });
    await fixture.templates.patch(AT, { spec: { description: 'another' } });
    await checked(2);
    expect(statusWrites(first)).toBe(2);
    await first.stop();
    const second = await fixture.boot();
    await fixture.templates.patch(AT, { spec: { description: 'a third' } });
    await checked(3);
    expect(statusWrites(second)).toBe(1);
  });

  it('reports a missing source, and sets Ready within a minute of its return', async () => {
    const source = { html: `<p>{{number}}</p>${' '.repeat(70_000)}` };
    const { sourceRef } = await keepSource(fixture.store, 'default', source, fixture.clock.now());
    await fixture.store.delete(sourceRef?.key ?? '');
    await fixture.boot();
    await fixture.templates.create({
      metadata: { name: 'invoice', namespace: 'default' },
      spec: { displayName: 'Invoice', ...(sourceRef && { sourceRef }) },
    });
    expect((await checked()).status?.conditions).toMatchObject([{ reason: 'SourceMissing' }]);
    await keepSource(fixture.store, 'default', source, fixture.clock.now());
    await fixture.clock.passUntil(10_000, async () => {
      const { status } = await fixture.templates.get('default', 'invoice');
      expect(status?.conditions).toMatchObject([{ status: 'True', reason: 'Compiled' }]);
    });
  });

  it('stores versions written with kubectl and deletes them after the template is deleted', async () => {
    await fixture.boot();
    const { metadata } = await fixture.template();
    const history = new TemplateHistory(fixture.store);
    const stored = () => history.versions('default', metadata.uid);
    const has = (...versions: number[]) =>
      eventually(async () => isDeepStrictEqual(await stored(), versions));
    await has(1);
    await fixture.templates.patch(AT, { spec: { html: '<p>two</p>' } });
    await has(2, 1);
    expect((await history.read('default', metadata.uid, 1))?.source.html).toBe('<p>{{number}}</p>');
    await fixture.templates.delete('default', 'invoice');
    await fixture.clock.passUntil(60_000, async () => isDeepStrictEqual(await stored(), []));
  });
});

it('A template that is expensive to check does not delay other templates', async () => {
  await fixture.boot();
  const html = `{{!-- a --}}${MANY_COMMENTS}`;
  await fixture.template({ html });
  await fixture.template({}, 'other');
  const order: string[] = [];
  const ready = async (name: string) => {
    await eventually(async () => {
      const { status } = await fixture.templates.get('default', name);
      return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
    });
    order.push(name);
  };
  await Promise.all([ready('invoice'), ready('other')]);
  expect(order).toEqual(['other', 'invoice']);
});

it('A template that is expensive to check is not Ready, fails its jobs and is checked only once when the check exceeds its limits', async () => {
  // The slow template takes about a second, the other a few milliseconds.
  const checkPool = new CheckPool({ timeoutMs: 300, memoryMib: 256 });
  const ask = vi.spyOn(checkPool, 'ask');
  await fixture.renew(checkPool);
  const service = await fixture.boot();
  await fixture.template({ html: DEEP_BLOCKS });
  const { status } = await checked();
  const message = expect.stringContaining('the template takes longer than 300 ms to check: use fewer');
  expect(status?.conditions).toMatchObject([
    { type: 'Ready', status: 'False', reason: 'SyntaxError', message },
  ]);
  expect(status?.revision).toBeUndefined();
  await fixture.kubectlJob('slow');
  const { status: failed } = await fixture.finished('slow');
  expect(failed).toMatchObject({ phase: 'Failed', error: { code: 'template_invalid', message } });
  await fixture.templates.patch(AT, { metadata: { labels: { seen: 'yes' } } });
  await fixture.template({}, 'other');
  await eventually(async () => {
    const other = await fixture.templates.get('default', 'other');
    expect(other.status?.conditions).toMatchObject([{ status: 'True' }]);
  });
  expect(statusWrites(service)).toBe(1);
  expect(ask.mock.calls.length).toBeLessThanOrEqual(4);
});
