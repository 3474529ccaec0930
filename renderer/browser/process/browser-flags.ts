/**
 * The compositor waits for a client to ask for each frame, and nobody asks: without it every document is laid out and
 * painted for a screen, too, which takes a fifth of its time (docs/adr/0007-no-frames.md).
 */
export const NO_FRAMES_FLAG = '--enable-begin-frame-control';

/** No script of a document runs. */
const NO_SCRIPTS_FLAG = '--blink-settings=scriptEnabled=false';

/**
 * How the browser is started. What a document may do is decided here for the whole process, once: no script, no
 * network (no name or address resolves), no downloads; pages add their own switches on top.
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
  // Glyphs are placed as on paper, not as on a screen.
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
];

/** Scripts have ways into the network that no page's guard sees: UDP of WebRTC, which needs no name. */
const SCRIPT_FLAGS: readonly string[] = ['--force-webrtc-ip-handling-policy=disable_non_proxied_udp'];

/** What browsers for different ends differ in. */
export interface BrowserFlagOptions {
  /** A picture is of a frame (docs/adr/0017-pictures-in-a-browser-of-their-own.md). */
  readonly drawsFrames?: boolean;
  readonly scripts?: boolean;
}

/** The flags of one kind of browser. */
export function browserFlags({ drawsFrames = false, scripts = false }: BrowserFlagOptions): string[] {
  const leftOut = [...(drawsFrames ? [NO_FRAMES_FLAG] : []), ...(scripts ? [NO_SCRIPTS_FLAG] : [])];
  const usual = BROWSER_FLAGS.filter((flag) => !leftOut.includes(flag));
  return scripts ? [...usual, ...SCRIPT_FLAGS] : usual;
}
