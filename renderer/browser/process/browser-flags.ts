/**
 * The compositor waits for a client to request each frame, and no client does. Without this flag, every document is
 * also laid out and painted for a screen, which takes a fifth of its time (docs/adr/0007-no-frames.md).
 */
export const NO_FRAMES_FLAG = '--enable-begin-frame-control';

const NO_SCRIPTS_FLAG = '--blink-settings=scriptEnabled=false';

/**
 * Flags for every browser. They restrict documents for the whole process: no script, no network (host names do not
 * resolve), no downloads; pages add their own restrictions.
 */
export const BROWSER_FLAGS: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  NO_SCRIPTS_FLAG,
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-background-networking',
  '--disable-quic',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-gpu',
  NO_FRAMES_FLAG,
  // /dev/shm is 64 MiB in a container.
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--hide-scrollbars',
  // Positions glyphs as on paper rather than on screen.
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
];

/**
 * Scripts can reach the network in ways that request interception does not see: WebRTC's UDP, which needs no host name.
 */
const SCRIPT_FLAGS: readonly string[] = ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp'];

export interface BrowserKind {
  /**
   * Whether the browser's pages can be drawn as images, which makes printing slower
   * (docs/adr/0017-pictures-in-a-browser-of-their-own.md). @default false
   */
  readonly drawsFrames?: boolean;
  /** Whether document scripts run. @default false */
  readonly scripts?: boolean;
  /** Whether the browser gets less CPU time than other processes (docs/adr/0042-fair-slots.md). @default false */
  readonly background?: boolean;
}

export function browserFlags({ drawsFrames = false, scripts = false }: BrowserKind): string[] {
  const leftOut = [...(drawsFrames ? [NO_FRAMES_FLAG] : []), ...(scripts ? [NO_SCRIPTS_FLAG] : [])];
  const usual = BROWSER_FLAGS.filter((flag) => !leftOut.includes(flag));
  return scripts ? [...usual, ...SCRIPT_FLAGS] : usual;
}
