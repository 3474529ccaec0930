import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/cluster-processes.ts';
import { textOf } from '../support/pdf.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

describe.skipIf(missing)('three services as processes of their own', () => {
  let cluster: ClusterProcesses;

  beforeAll(async () => {
    cluster = await ClusterProcesses.start();
  });
  afterAll(() => cluster?.stop());

  it('make a document from a template, end to end', async () => {
    const { live } = cluster;
    const { id } = await live.createTemplate({ html: '<p>Invoice for {{name}}</p>' });
    expect(await textOf(await live.document(id, { name: 'Grace Hopper' }))).toContain('Grace Hopper');
  });
});
