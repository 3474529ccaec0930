import { stringify } from 'yaml';

/** Returns a kubeconfig for one server and one token, as YAML; the context's namespace is `default`. */
export function kubeconfigText(server: { url: string; caCertificate: string; token: string }): string {
  const name = 'trifold';
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: {
            server: server.url,
            'certificate-authority-data': Buffer.from(server.caCertificate).toString('base64'),
          },
        },
      ],
      users: [{ name, user: { token: server.token } }],
      contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
}
