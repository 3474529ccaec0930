import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';
import { Installation } from './installation.ts';
import { ACCOUNT, NAMESPACE, RELEASE } from './release.ts';

const KEPT_CLAIM = `persistentvolumeclaim/${RELEASE}-minio`;
/** Objects kept on uninstall: CRDs, accounts with their content, files, and the webhook key. */
const KEPT = [
  'customresourcedefinition.apiextensions.k8s.io/apikeys.trifold.dev',
  'customresourcedefinition.apiextensions.k8s.io/batches.trifold.dev',
  'customresourcedefinition.apiextensions.k8s.io/generationjobs.trifold.dev',
  'customresourcedefinition.apiextensions.k8s.io/templates.trifold.dev',
  'customresourcedefinition.apiextensions.k8s.io/usagereports.trifold.dev',
  'customresourcedefinition.apiextensions.k8s.io/webhookdeliveries.trifold.dev',
  'customresourcedefinition.apiextensions.k8s.io/webhookendpoints.trifold.dev',
  `namespace/${ACCOUNT}`,
  KEPT_CLAIM,
  `secret/${RELEASE}-webhook-key`,
];
const KEPT_SECRETS = ['secret/trifold-first-key', `secret/${RELEASE}-webhook-key`];
/** Objects that every namespace has, and events, which expire later. */
const NOT_OURS = /^(serviceaccount\/default|configmap\/kube-root-ca\.crt|event(\.events\.k8s\.io)?\/.*)$/;

const installation = await Installation.connect();

it('an uninstall keeps only definitions and data, and a reinstall uses them', async () => {
  const { live } = installation;
  const template = await live.createTemplate({ name: 'Kept', html: '<p>Kept for {{name}}</p>' });
  const { id } = await live.generate(template.id, { name: 'Ada' });

  await installation.uninstall();
  const labelled = ['--all-namespaces', `--selector=app.kubernetes.io/instance=${RELEASE}`];
  // Pods take time to terminate, and dependents are deleted after their owners.
  const all = await kinds();
  await becomes(KEPT, () => namesOf(all, labelled));
  const namespaced = await kinds('--namespaced=true');
  await becomes([KEPT_CLAIM, ...KEPT_SECRETS], async () =>
    (await namesOf(namespaced, ['--namespace', NAMESPACE])).filter((name) => !NOT_OURS.test(name)),
  );
  expect(await installation.accounts('get', 'template', template.id, '--output=name')).toContain(template.id);

  await installation.install();
  expect((await live.get(`/v1/templates/${template.id}`)).json()).toMatchObject({ name: 'Kept', version: 1 });
  const file = await live.get(`/v1/generate/${id}/download`);
  expect(file.status, file.text.slice(0, 300)).toBe(200);
  expect(await textOf(file.bytes)).toBe('Kept for Ada');
  expect(await textOf(await live.document(template.id, { name: 'Grace' }))).toBe('Kept for Grace');
});

/** Waits until the list equals `wanted`; the error shows the last list. */
async function becomes(wanted: readonly string[], look: () => Promise<string[]>): Promise<void> {
  await eventually(
    async () => {
      expect(await look()).toEqual(wanted);
      return true;
    },
    { timeoutMs: 90_000, intervalMs: 500 },
  );
}

/** Returns the kinds whose objects are stored. */
async function kinds(...which: string[]): Promise<string> {
  const verbs = '--verbs=list,delete';
  const all = await installation.kubectl.ok(['api-resources', verbs, '--output=name', ...which]);
  // kubectl warns about Endpoints.
  return all
    .trim()
    .split('\n')
    .filter((kind) => kind !== 'endpoints')
    .join(',');
}

async function namesOf(kinds: string, where: readonly string[]): Promise<string[]> {
  const list = await installation.kubectl.ok(['get', kinds, '--output=name', ...where]);
  return list.trim().split('\n').filter(Boolean).sort();
}
