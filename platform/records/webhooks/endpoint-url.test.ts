import { expect, it } from 'vitest';
import { parseEndpointUrl } from './endpoint-url.ts';

const codeOf = (text: string, allowHttp = false): unknown => {
  try {
    parseEndpointUrl(text, { allowHttp });
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

it.each([
  'https://hooks.example.com',
  'https://hooks.example.com/trifold?tenant=7&x=%20',
  'https://hooks.example.com:8443/',
  'https://münchen.example/',
  'https://[2001:4860::1]/x',
  'HTTPS://hooks.example.com/@x',
])('An endpoint URL can be %s', (text) => expect(codeOf(text)).toBeUndefined());

it.each([
  '',
  'hooks.example.com',
  '//hooks.example.com',
  'https:hooks.example.com',
  'https:/hooks.example.com',
  'https://',
  'https:///x',
  'ftp://hooks.example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user@hooks.example.com',
  'https://user:secret@hooks.example.com',
  'https://@hooks.example.com',
  'https://hooks.example.com/#part',
  'https://hooks.example.com/a b',
  ' https://hooks.example.com',
  'https://hooks.example.com/\n',
  'https://hooks.example.com:99999/',
  'https://hooks.example.com:0/',
  'https://[2001:4860::1]:00',
  'https://\\hooks.example.com',
  `https://hooks.example.com/${'a'.repeat(2048)}`,
])('An endpoint URL cannot be %j', (text) => expect(codeOf(text, true)).toBe('url_invalid'));

it('An endpoint URL can use plain HTTP only if the setting allows it', () => {
  expect(codeOf('http://localhost:3000/')).toBe('http_not_allowed');
  expect(codeOf('http://localhost:3000/', true)).toBeUndefined();
});
