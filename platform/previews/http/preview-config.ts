import { ConfigError, readSettings, type Environment } from '../../settings/read-settings.ts';
import type { RendererAddress } from '../../settings/setting-forms.ts';

/** Address at which a renderer serves previews, and the token that it requires. */
export interface PreviewServerConfig {
  readonly port: number;
  readonly token: string;
}

/** The renderers that a gateway uses for previews. */
export interface PreviewClientConfig {
  /** Not empty. */
  readonly renderers: readonly RendererAddress[];
  readonly token: string;
}

/** Returns undefined if no token is set: the renderer then does not serve previews. Throws ConfigError. */
export function loadPreviewServerConfig(environment: Environment): PreviewServerConfig | undefined {
  const { token, port } = readSettings(environment, {
    token: 'TRIFOLD_PREVIEW_TOKEN',
    port: 'TRIFOLD_PREVIEW_PORT',
  });
  return token === undefined ? undefined : { token, port };
}

/** Returns undefined if no renderers are set: the gateway then does not preview documents. Throws ConfigError. */
export function loadPreviewClientConfig(environment: Environment): PreviewClientConfig | undefined {
  const { token, renderers } = readSettings(environment, {
    token: 'TRIFOLD_PREVIEW_TOKEN',
    renderers: 'TRIFOLD_PREVIEW_RENDERERS',
  });
  if (!renderers) return undefined;
  if (token === undefined) {
    throw new ConfigError(['TRIFOLD_PREVIEW_TOKEN must be set with TRIFOLD_PREVIEW_RENDERERS']);
  }
  return { token, renderers };
}
