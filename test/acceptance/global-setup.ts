import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createAuthority, type KeyPair } from '@trifold/embedded-apiserver/tls/certificates.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../support/service.ts';

/** The service that the acceptance tests talk to. */
export interface ServiceUnderTest {
  readonly url: string;
  readonly liveKey: string;
  readonly testKey: string;
  /** For operator tasks: creating keys with other scopes or in other accounts. */
  readonly kubeconfig: string;
  /** Set only if the service is a standalone one on this machine. */
  readonly dataDirectory?: string;
  /** Account of both keys. */
  readonly account: string;
  /** Keys with all scopes: one in the same account, and one in another account. */
  readonly siblingKey: string;
  readonly otherAccountKey: string;
  /**
   * CA of the local receivers' certificates, if the service reaches and trusts them; otherwise undefined. With it, a
   * delivery fails after three attempts within a few seconds.
   */
  readonly receivers?: KeyPair;
  /** Whether the service supports document previews. */
  readonly previewsDocuments: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    service: ServiceUnderTest;
  }
}

type Given = Omit<ServiceUnderTest, 'siblingKey' | 'otherAccountKey'>;

/**
 * Uses the service in TRIFOLD_ACCEPTANCE_URL, with TRIFOLD_ACCEPTANCE_LIVE_KEY, _TEST_KEY, _KUBECONFIG, _ACCOUNT
 * (default `default`) and _PREVIEWS (`true` if it previews documents). Otherwise starts a standalone service for this
 * run that reaches local receivers.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['TRIFOLD_ACCEPTANCE_URL'];
  if (url) {
    const given = {
      url: url.replace(/\/$/, ''),
      liveKey: required('TRIFOLD_ACCEPTANCE_LIVE_KEY'),
      testKey: required('TRIFOLD_ACCEPTANCE_TEST_KEY'),
      kubeconfig: required('TRIFOLD_ACCEPTANCE_KUBECONFIG'),
      account: process.env['TRIFOLD_ACCEPTANCE_ACCOUNT'] ?? 'default',
      previewsDocuments: process.env['TRIFOLD_ACCEPTANCE_PREVIEWS'] === 'true',
    };
    project.provide('service', await withMoreKeys(given));
    return async () => undefined;
  }
  const data = await temporaryDirectory();
  const keys = inventKeys();
  const receivers = await createAuthority(new Date());
  const authorities = join(data, 'receivers.pem');
  await writeFile(authorities, receivers.certificate);
  const environment = {
    TRIFOLD_LOG_LEVEL: 'warn',
    TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8,::1',
    TRIFOLD_WEBHOOK_ALLOW_HTTP: 'true',
    TRIFOLD_WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s',
    // Long, because tests wait for documents on a busy machine.
    TRIFOLD_SYNC_WAIT: '5m',
    NODE_EXTRA_CA_CERTS: authorities,
  };
  const service = new ServiceProcess({ data, keys, environment });
  const stop = async () => {
    await service.stop();
    await removeDirectory(data);
  };
  try {
    await service.ready();
    const { kubeconfig } = service;
    const given = {
      url: service.url,
      dataDirectory: data,
      liveKey: keys.live,
      testKey: keys.test,
      kubeconfig,
      account: 'default',
      previewsDocuments: true,
      receivers,
    };
    project.provide('service', await withMoreKeys(given));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function withMoreKeys(given: Given): Promise<ServiceUnderTest> {
  const { url, kubeconfig, account } = given;
  const otherAccount = `acceptance-other-${randomUUID().slice(0, 8)}`;
  const [sibling, other] = await Promise.all([
    clientWithNewKey(url, kubeconfig, { account }),
    clientWithNewKey(url, kubeconfig, { account: otherAccount }),
  ]);
  return { ...given, siblingKey: sibling.key as string, otherAccountKey: other.key as string };
}

function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`TRIFOLD_ACCEPTANCE_URL is set, so ${variable} must be set too`);
  return value;
}
