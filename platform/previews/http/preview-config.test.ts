import { describe, expect, it } from 'vitest';
import { loadPreviewClientConfig, loadPreviewServerConfig } from './preview-config.ts';

const token = 'a-token-of-at-least-thirty-two-characters';

describe('Preview settings', () => {
  it('enable previews with a token in renderers, and with addresses and a token in gateways', () => {
    expect(loadPreviewServerConfig({})).toBeUndefined();
    expect(loadPreviewServerConfig({ TRIFOLD_PREVIEW_TOKEN: token })).toEqual({ port: 9091, token });
    expect(loadPreviewClientConfig({ TRIFOLD_PREVIEW_TOKEN: token })).toBeUndefined();
    const TRIFOLD_PREVIEW_RENDERERS = 'trifold-renderer:9091,[::1]:1,127.0.0.1:65535';
    expect(loadPreviewClientConfig({ TRIFOLD_PREVIEW_TOKEN: token, TRIFOLD_PREVIEW_RENDERERS })).toEqual({
      token,
      renderers: [
        { host: 'trifold-renderer', port: 9091 },
        { host: '::1', port: 1 },
        { host: '127.0.0.1', port: 65_535 },
      ],
    });
  });

  it.each([
    'renderer',
    'renderer:',
    'renderer:0',
    'renderer:65536',
    'http://renderer:9091',
    'a:1,',
    '::1:9091',
  ])('reject the address %s', (TRIFOLD_PREVIEW_RENDERERS) => {
    expect(() =>
      loadPreviewClientConfig({ TRIFOLD_PREVIEW_TOKEN: token, TRIFOLD_PREVIEW_RENDERERS }),
    ).toThrow('TRIFOLD_PREVIEW_RENDERERS must list addresses');
  });

  it.each(['too-short-to-be-a-token', `${token} with spaces`, `${token}é`])(
    'reject the token %s without printing it',
    (text) => {
      const load = () => loadPreviewServerConfig({ TRIFOLD_PREVIEW_TOKEN: text });
      expect(load).toThrow('TRIFOLD_PREVIEW_TOKEN must have at least 32 characters');
      expect(load).not.toThrow(text);
    },
  );

  it('reject addresses without a token', () => {
    expect(() => loadPreviewClientConfig({ TRIFOLD_PREVIEW_RENDERERS: 'renderer:9091' })).toThrow(
      'TRIFOLD_PREVIEW_TOKEN must be set',
    );
  });
});
