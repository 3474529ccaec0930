/**
 * `npm run bench`: compares the standalone service over HTTP with the Chromium baseline, in interleaved rounds. Options
 * after `--`: `--cluster` measures the services of a cluster with a real API server, Redis and object store, and the
 * cost of a document. `--engine` measures the renderer alone, with documents of several sizes. `--emails` measures
 * email compilation, without a browser. `--editor` measures how fast the dashboard's editor loads, types and previews
 * in a browser. `--render` measures the command `trifold render`, and `--testcontainers` the start of a service in a
 * test. `--cost` prints the CPU time of a document by part and process. `--warnings` measures only the search for
 * warnings, and `--conformance` only conformance levels; a run without options includes both. `--webhooks` measures
 * event delivery from the standalone service to local endpoints, some of them dead. `--seconds 5 --rounds 3` sets the
 * duration; `--memory 5000` sets the number of documents for the standalone memory check (0: none).
 */
import { parseArgs } from 'node:util';
import { benchCluster } from './cluster.ts';
import { benchConformance } from './conformance.ts';
import { benchCost } from './cost.ts';
import { benchEmails } from './emails.ts';
import { benchEngine } from './engine.ts';
import { loadInvoice } from './workload/invoice.ts';
import { benchEditor } from './editor.ts';
import { benchRender } from './render.ts';
import { benchTestcontainers } from './testcontainers.ts';
import { benchStandalone } from './standalone.ts';
import { benchWarnings } from './warnings.ts';
import { benchWebhooks } from './webhooks.ts';

const { values } = parseArgs({
  options: {
    cluster: { type: 'boolean', default: false },
    conformance: { type: 'boolean', default: false },
    cost: { type: 'boolean', default: false },
    emails: { type: 'boolean', default: false },
    engine: { type: 'boolean', default: false },
    editor: { type: 'boolean', default: false },
    render: { type: 'boolean', default: false },
    testcontainers: { type: 'boolean', default: false },
    warnings: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    memory: { type: 'string', default: '5000' },
  },
});
const pace = { milliseconds: Number(values.seconds) * 1000, rounds: Number(values.rounds) };
const invoice = await loadInvoice();
if (values.emails) await benchEmails(pace);
else if (values.editor) await benchEditor(invoice);
else if (values.render) await benchRender(invoice, pace);
else if (values.testcontainers) await benchTestcontainers(pace);
else if (values.webhooks) await benchWebhooks(pace);
else if (values.engine) await benchEngine(invoice, pace);
else if (values.cluster) await benchCluster(invoice, pace);
else if (values.warnings) await benchWarnings(invoice, pace);
else if (values.cost) await benchCost(invoice, pace);
else if (values.conformance) await benchConformance(invoice, pace);
else {
  await benchStandalone(invoice, pace, Number(values.memory));
  await benchWarnings(invoice, pace);
  await benchConformance(invoice, pace);
}
