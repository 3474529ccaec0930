/**
 * The compositor waits for a client to ask for each frame, and nobody asks: without it every document is laid out and
 * painted for a screen, too, which takes a fifth of its time (docs/adr/0007-no-frames.md).
 */
export const NO_FRAMES_FLAG = '--enable-begin-frame-control';

/**
 * How the browser is started. What a document may do is decided here for the whole process, once: no script, no
 * network (no name or address resolves), no downloads; pages add their own switches on top.
 */
export const BROWSER_FLAGS: readonly string[] = [
  '--headless',
  '--remote-debugging-pipe',
  '--blink-settings=scriptEnabled=false',
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

/** How a browser for pictures is started: a picture is of a frame (docs/adr/0017-pictures-in-a-browser-of-their-own.md). */
export const PICTURE_BROWSER_FLAGS: readonly string[] = BROWSER_FLAGS.filter(
  (flag) => flag !== NO_FRAMES_FLAG,
);
