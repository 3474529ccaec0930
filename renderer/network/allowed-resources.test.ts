import { expect, it } from 'vitest';
import { parseAllowedHost } from '@trifold/platform/settings/setting-forms.ts';
import { isAllowed } from './allowed-resources.ts';

const hosts = ['cdn.example.com', 'images.example.com:8443', '192.0.2.7', '[2001:db8::1]'].map(
  parseAllowedHost,
);

it.each([
  'https://cdn.example.com/logo.png',
  'http://CDN.example.com:80/',
  'https://images.example.com:8443/x?y',
  'http://192.0.2.7/',
  'http://0xc0000207/',
  'http://[2001:db8:0::1]/',
])('an allow-list of hosts allows %s', (url) => expect(isAllowed(new URL(url), hosts)).toBe(true));

it.each([
  'https://example.com/',
  'https://cdn.example.com.evil.example/',
  'https://cdn.example.com./',
  'https://evil-cdn.example.com/',
  'https://cdn.example.com:8443/',
  'https://images.example.com/',
  'https://cdn.example.com@evil.example/',
  'https://user:secret@cdn.example.com/',
  'https://evil.example/cdn.example.com',
  'https://evil.example#cdn.example.com',
  'ftp://cdn.example.com/',
  'file://cdn.example.com/etc/passwd',
  'ws://cdn.example.com/',
  'javascript://cdn.example.com/%0aalert(1)',
  'data:text/html,cdn.example.com',
])('an allow-list of hosts rejects %s', (url) => expect(isAllowed(new URL(url), hosts)).toBe(false));

it.each([
  '',
  '*',
  '*.example.com',
  'https://cdn.example.com',
  'cdn.example.com/',
  'a b',
  'a:0',
  'a:99999',
  '127.1',
  'a@b',
])('an allow-list of hosts throws for the invalid entry %j', (text) =>
  expect(() => parseAllowedHost(text)).toThrow(/must be hosts such as/),
);
