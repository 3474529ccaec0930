/**
 * `npm run bench`: the standalone service over HTTP beside the bare limit, in one run, rounds interleaved; with
 * `-- --cluster` the services of a cluster over a real API server, Redis and object store, and what a document costs.
 * `-- --engine` leaves the service out: the renderer alone, over three kinds of documents.
 * `-- --hostile`: how long ordinary documents take beside each that takes more than it may, and after it; `--format png` of
 * another format. `--seconds` is the limit that the hostile one meets.
 * `-- --emails`: letters compiled, no browser in it.
 * `-- --webhooks`: events of the standalone service to endpoints of this machine, some of them dead.
 * `--seconds 5 --rounds 3` sets how long; `--memory 5000` how many documents the standalone memory check makes (0: none).
 */
import { parseArgs } from 'node:util';
import { benchCluster } from './cluster.ts';
import { benchEmails } from './emails.ts';
import { benchEngine } from './engine.ts';
import { benchHostile } from './hostile.ts';
import { loadInvoice } from './invoice.ts';
import { benchStandalone } from './standalone.ts';
import { benchWebhooks } from './webhooks.ts';

const { values } = parseArgs({
  options: {
    cluster: { type: 'boolean', default: false },
    emails: { type: 'boolean', default: false },
    engine: { type: 'boolean', default: false },
    format: { type: 'string', default: 'pdf' },
    hostile: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    memory: { type: 'string', default: '5000' },
  },
});
const pace = { milliseconds: Number(values.seconds) * 1000, rounds: Number(values.rounds) };
const invoice = await loadInvoice();
if (values.emails) await benchEmails(pace);
else if (values.webhooks) await benchWebhooks(pace);
else if (values.engine) await benchEngine(invoice, pace);
else if (values.hostile) await benchHostile(invoice, pace, values.format);
else if (values.cluster) await benchCluster(invoice, pace);
else await benchStandalone(invoice, pace, Number(values.memory));
