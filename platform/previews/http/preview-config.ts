import { ConfigError, readSettings, wholeNumber, type Environment } from '../../service/config.ts';

/** Where a renderer serves previews, and the token that it requires. */
export interface PreviewServerConfig {
  /** 0 selects a free port. TRIFOLD_PREVIEW_PORT. */
  readonly port: number;
  /** Secret of gateways and renderers. TRIFOLD_PREVIEW_TOKEN. */
  readonly token: string;
}

/** Address of one renderer, or of all renderers behind a name. */
export interface RendererAddress {
  readonly host: string;
  readonly port: number;
}

/** The renderers that a gateway asks for previews. */
export interface PreviewClientConfig {
  /** Not empty. TRIFOLD_PREVIEW_RENDERERS. */
  readonly renderers: readonly RendererAddress[];
  /** Secret of gateways and renderers. TRIFOLD_PREVIEW_TOKEN. */
  readonly token: string;
}

/** Characters. */
const SHORTEST_TOKEN = 32;

const TOKEN = { variable: 'TRIFOLD_PREVIEW_TOKEN', parse: previewToken, fallback: undefined } as const;

/** Returns undefined without a token: the renderer then serves no previews. Throws ConfigError. */
export function loadPreviewServerConfig(environment: Environment): PreviewServerConfig | undefined {
  const { token, port } = readSettings<{ token: string | undefined; port: number }>(environment, {
    token: TOKEN,
    port: { variable: 'TRIFOLD_PREVIEW_PORT', parse: wholeNumber(0, 65_535) },
  });
  return token === undefined ? undefined : { token, port };
}

/** Returns undefined without renderers: the gateway then previews no documents. Throws ConfigError. */
export function loadPreviewClientConfig(environment: Environment): PreviewClientConfig | undefined {
  const settings = readSettings<{
    token: string | undefined;
    renderers: readonly RendererAddress[] | undefined;
  }>(environment, {
    token: TOKEN,
    renderers: { variable: 'TRIFOLD_PREVIEW_RENDERERS', parse: rendererAddresses, fallback: undefined },
  });
  const { token, renderers } = settings;
  if (!renderers) return undefined;
  if (token === undefined) {
    throw new ConfigError(['TRIFOLD_PREVIEW_TOKEN must be set with TRIFOLD_PREVIEW_RENDERERS']);
  }
  return { token, renderers };
}

/** The message omits the value. */
function previewToken(text: string): string {
  if (/^[!-~]+$/.test(text) && text.length >= SHORTEST_TOKEN) return text;
  throw new RangeError(`must have at least ${SHORTEST_TOKEN} characters of printable ASCII, without spaces`);
}

function rendererAddresses(text: string): readonly RendererAddress[] {
  return text.split(',').map((entry) => {
    const [, ipv6, name, port] = /^(?:\[([0-9A-Fa-f:]+)\]|([^:[\]/@]+)):(\d{1,5})$/.exec(entry) ?? [];
    const host = ipv6 ?? name;
    const number = Number(port);
    if (host !== undefined && number > 0 && number <= 65_535) return { host, port: number };
    throw new RangeError(`must list addresses such as renderer.example:9091, not ${JSON.stringify(entry)}`);
  });
}
