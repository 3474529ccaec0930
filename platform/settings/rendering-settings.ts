import { availableParallelism } from 'node:os';
import type { Settings } from './setting.ts';
import { allowedHost, addressRange } from './setting-forms.ts';
import { anyText, byteSize, duration, listOf, oneOf, wholeNumber } from './setting-types.ts';

/** The browser sends documents as base64, which is larger and must fit into one string. */
const MAX_OUTPUT = '256Mi';

/** Settings that the controller uses to render documents. */
export const RENDERING = {
  TRIFOLD_RENDER_DEADLINE: {
    type: duration('1s', '1h'),
    common: true,
    default: '60s',
    doc: 'Time limit for one document from its start in a renderer, excluding the wait for a browser. A document that exceeds the limit is not retried.',
    chart: { value: 'controller.config.renderDeadline' },
  },
  TRIFOLD_RENDER_ATTEMPTS: {
    type: wholeNumber(1, 10),
    default: '2',
    doc: 'Maximum number of attempts if a document fails for a temporary reason, such as a browser crash. Attempts that are lost because their renderer stopped count separately: after the third lost attempt, the document fails. While the object store is unavailable or full, there are at least six attempts.',
    chart: { value: 'controller.config.renderAttempts' },
  },
} as const satisfies Settings;

/** Renderer settings: browsers, size and time limits, network. */
export const RENDERER = {
  TRIFOLD_BROWSER: {
    type: anyText,
    common: true,
    shown: 'found, else bundled',
    doc: 'Path to a Chromium executable, or `bundled` for the headless shell that is bundled with the npm packages (Linux x64). By default, an installed headless shell is used, then the bundled one, then a full Chromium or Chrome.',
  },
  TRIFOLD_BROWSER_SOCKET: {
    type: anyText,
    doc: 'Unix socket of the browser launcher (`node renderer/browser/launcher/main.ts`), which starts the browsers in a separate container. The launcher and the renderer must use the same socket. Without a socket, browsers are child processes of the renderer.',
  },
  TRIFOLD_BROWSERS: {
    type: wholeNumber(1, 64),
    common: true,
    fallback: Math.min(2, availableParallelism()),
    shown: '`2` (`1` on one core)',
    doc: 'Number of browsers for PDF documents; each prints one document at a time and needs one CPU. The same number of processes merges templates with data. More browsers start on demand, for example for images.',
    chart: { value: 'renderer.config.browsers', default: 2 },
  },
  TRIFOLD_BROWSER_SANDBOX: {
    type: oneOf('auto', 'required', 'off'),
    default: 'auto',
    doc: "Chromium's sandbox: `auto` (used if the machine allows it), `required` or `off`. The chart sets `required` or `off`.",
    computedFrom: 'renderer.sandbox.enabled',
  },
  TRIFOLD_BROWSER_MEMORY: {
    type: byteSize('64Mi', '64Gi'),
    default: '1Gi',
    doc: 'Memory at which a browser is replaced, checked after every 50 documents. While a browser prints, it may use twice as much; a document that needs more fails with `output_too_large`.',
    chart: {
      value: 'renderer.config.browserMemory',
      default: '768Mi',
      note: 'The memory limit in `renderer.browser.resources` must cover this amount for each browser and for five more: a spare, two for images and DOCX, and two for previews. It must also cover `shmSize` and 256Mi for the launcher.',
    },
  },
  TRIFOLD_MAX_OUTPUT: {
    type: byteSize('1Ki', MAX_OUTPUT),
    default: '50Mi',
    doc: 'Maximum size of a finished document.',
    chart: { value: 'renderer.config.maxOutput' },
  },
  TRIFOLD_TEMPLATE_SCRIPTS: {
    type: oneOf('off', 'on'),
    default: 'off',
    doc: '`on`: scripts in templates run, within the deadline. Each document then gets a separate browser context and takes longer.',
    chart: { value: 'renderer.config.templateScripts' },
  },
  TRIFOLD_RENDER_ALLOW_HOSTS: {
    type: listOf(allowedHost),
    common: true,
    fallback: [],
    doc: 'Hosts from which documents may load images, styles and fonts, and scripts if `TRIFOLD_TEMPLATE_SCRIPTS` is `on`. The default port depends on the scheme. Each file is limited to 10 MiB, 10 s and three redirects, and each document to 30 MiB and 100 requests. If no hosts are listed, documents have no network access.',
    list: '`cdn.example.com,images.example.com:8443`',
    chart: { value: 'renderer.config.allowHosts' },
  },
  TRIFOLD_RENDER_ALLOW_ADDRESSES: {
    type: listOf(addressRange),
    fallback: [],
    doc: 'Non-public address ranges that allowed hosts may use.',
    list: '`10.96.0.0/12,fd00::/8`',
    chart: {
      value: 'renderer.config.allowAddresses',
      note: 'For hosts in the cluster, also let the renderer reach their pods if NetworkPolicies are enforced (`networkPolicy.extraEgress.renderer`).',
    },
  },
} as const satisfies Settings;
