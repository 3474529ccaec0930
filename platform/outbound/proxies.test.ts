import { expect, it } from 'vitest';
import { loadProxies, proxyFor } from './proxies.ts';

const PROXIES = { HTTP_PROXY: 'http://plain.test:3128', https_proxy: 'user:secret@secure.test:3128' };

it.each([
  ['', 'https://example.com/', 'secure.test:3128'],
  ['', 'http://example.com/', 'plain.test:3128'],
  ['', 'https://localhost:9000/', undefined],
  ['', 'https://127.0.0.1/', undefined],
  ['', 'https://[::1]/', undefined],
  ['*', 'https://example.com/', undefined],
  ['a.test, example.com', 'https://example.com/', undefined],
  ['a.test example.com', 'https://EXAMPLE.com./', undefined],
  ['example.com', 'https://www.example.com/', undefined],
  ['example.com', 'https://anexample.com/', 'secure.test:3128'],
  ['.example.com', 'https://www.example.com/', undefined],
  ['*.example.com', 'https://www.example.com/', undefined],
  ['.example.com', 'https://example.com/', 'secure.test:3128'],
  ['.svc', 'http://minio.trifold.svc:9000/', undefined],
  ['minio', 'http://minio:9000/', undefined],
  ['example.com:8443', 'https://example.com:8443/', undefined],
  ['example.com:443', 'https://example.com/', undefined],
  ['example.com:8443', 'https://example.com/', 'secure.test:3128'],
  ['10.0.0.0/8', 'http://10.1.2.3:9000/', undefined],
  ['10.0.0.0/8', 'http://11.1.2.3/', 'plain.test:3128'],
  ['10.1.2.3', 'http://10.1.2.3/', undefined],
  ['fd00::/8', 'http://[fd00::1]/', undefined],
  ['[fd00::1]:80', 'http://[fd00::1]/', undefined],
])('NO_PROXY=%j sends %s to %s', (NO_PROXY, url, expected) => {
  expect(proxyFor(new URL(url), loadProxies({ ...PROXIES, NO_PROXY }))?.host).toBe(expected);
});

it.each(['socks5://user:secret@proxy.test', 'http://', 'user:secret@proxy:x', 'http://user:secret%@proxy'])(
  'The error for an unusable proxy names the variable but not its value: %s',
  (value) => {
    expect(() => loadProxies({ HTTPS_PROXY: value })).toThrow(/^(?!.*secret).*HTTPS_PROXY must be/s);
    expect(loadProxies({ HTTPS_PROXY: '' }).https).toBeUndefined();
  },
);
