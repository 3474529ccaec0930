import { describe, expect, it } from 'vitest';
import { listenHost } from './listen-host.ts';

const failsWith = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe('Address to listen on', () => {
  it.each([
    ['::', 'EAFNOSUPPORT', '0.0.0.0'],
    ['::', 'EADDRNOTAVAIL', '0.0.0.0'],
    ['0.0.0.0', 'EAFNOSUPPORT', '0.0.0.0'],
    ['127.0.0.1', 'EAFNOSUPPORT', '127.0.0.1'],
  ])('is %s, or without IPv6 (%s) %s', async (host, code, expected) => {
    expect(await listenHost(host, failsWith(code))).toBe(expected);
  });

  it('does not hide other errors', async () => {
    await expect(listenHost('::', failsWith('EMFILE'))).rejects.toThrow('EMFILE');
  });
});
