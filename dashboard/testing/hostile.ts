import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Api } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { WebhookReceiver } from '../../test/support/http/webhook-receiver.ts';

/** The variable that payloads set. */
export const MARK = '__xss';

/** Code that a page would run if it interpreted stored text as HTML, as a URL or as script. */
export const HOSTILE: readonly string[] = readFileSync(
  new URL('hostile-payloads.txt', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n');

/** Maximum length of a `metadata` name and of an email subject, in characters. */
const LONGEST = { metadata: 40, subject: 1000 };
/** Part of a template with a binding named like code: the service's warning contains the name. */
const BINDING = '{{[<img src=x onerror=__xss=1>]}}';

interface Entry {
  readonly id: string;
}

/** IDs of entries with code in their fields. */
export interface StoredCode {
  readonly templates: readonly string[];
  /** An email template whose HTML is plain, so that a preview frame has nothing to block. */
  readonly emailTemplate: string;
  readonly documents: readonly string[];
  readonly batch: string;
  /** Deliveries whose endpoint responded with code. */
  readonly deliveries: readonly string[];
}

/** Stores every payload wherever `/v1` accepts free text. The receiver responds to events with payloads. */
export async function storeCode(api: Api, receiver: WebhookReceiver): Promise<StoredCode> {
  const store = async (path: string, body: object): Promise<string> => {
    const answer = await api.post(path, body);
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.json<Entry>().id;
  };
  let answers = 0;
  receiver.answer = (_request, response) => {
    answers += 1;
    response.writeHead(500, { 'content-type': 'text/html' }).end(HOSTILE[answers % HOSTILE.length]);
  };
  await store('/v1/webhooks/settings', { url: receiver.url(`/?${MARK}`, 'localhost') });
  await store('/v1/hooks', {
    url: receiver.url(`/'><img/src=x/onerror=__xss=1>`, 'localhost'),
    source: 'make',
  });

  const emailTemplate = await storeEmailTemplate(api, store);
  const templates: string[] = [];
  const documents: string[] = [];
  for (const payload of HOSTILE) {
    templates.push(
      await store('/v1/templates', { name: payload, description: payload, html: payload, css: payload }),
    );
    await store('/v1/api-keys', { name: payload, description: payload, scopes: ['usage:read'] });
    const body = { template_id: emailTemplate, format: 'html', ...documentOf(payload) };
    documents.push(await store('/v1/generate', body));
  }
  const batch = await store('/v1/generate/batch', {
    template_id: emailTemplate,
    format: 'html',
    items: HOSTILE.map(documentOf),
    metadata: documentOf('<script>__xss=1</script>').metadata,
  });
  const deliveries = await answeredDeliveries(api);
  return { templates, emailTemplate, documents, batch, deliveries };
}

async function storeEmailTemplate(
  api: Api,
  store: (path: string, body: object) => Promise<string>,
): Promise<string> {
  const all = HOSTILE.join(' ');
  const line = all.slice(0, LONGEST.subject);
  const email = { subject: line, preheader: line, text: all };
  const template = { name: all.slice(0, 200), description: line, html: `<p>{{value}}</p>${BINDING}`, email };
  const id = await store('/v1/templates', template);
  const samples = HOSTILE.slice(0, 20).map((payload) => ({ name: payload, data: { [payload]: payload } }));
  const answer = await api.send('PUT', `/v1/templates/${id}/samples`, { body: { samples } });
  expect(answer.status, answer.text).toBe(200);
  return id;
}

/** The dot is needed because the service rejects a property named `__proto__`. */
const documentOf = (payload: string) => ({
  data: { value: payload },
  filename: payload,
  metadata: { note: payload, [`.${payload}`.slice(0, LONGEST.metadata)]: 'name' },
});

async function answeredDeliveries(api: Api): Promise<readonly string[]> {
  return eventually(async () => {
    const answer = await api.get('/v1/webhooks/deliveries?limit=100');
    const { data } = answer.json<{ data: readonly (Entry & { attempts: number })[] }>();
    const attempted = data.filter(({ attempts }) => attempts > 0);
    return attempted.length > 5 && attempted.map(({ id }) => id);
  });
}
