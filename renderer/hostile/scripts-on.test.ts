import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../testing/browser/test-browser.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { LoopbackListener } from '../testing/browser/loopback-listener.ts';
import { launchWatchedBrowser } from '../testing/browser/network-journal.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';

const HELLO = { html: '<p>Hello</p>' };
const textIn = ({ pages }: { pages: readonly { text: string }[] }) => pages.map(({ text }) => text).join(' ');

describe('with scripts on', () => {
  const fixture = RendererFixture.forSuite({ templateScripts: 'on', browsers: 2 });

  const textOf = async (body: string, account = 'acme') =>
    textIn(await fixture.read({ html: `<!doctype html><body>${body}` }, { account }));

  it.each([
    ['a script', '<p id="x"></p><script>x.textContent = "ran"</script>'],
    ['an event handler', `<p id="said"></p><svg onload="said.textContent = 'ran'"></svg>`],
    [
      'a module',
      `<p id="x"></p><script type="module">document.getElementById('x').textContent = 'ran'</script>`,
    ],
    ['a script at load', `<p id="x"></p><script>onload = () => { x.textContent = 'ran' }</script>`],
    [
      'a script that replaces the fonts of the document',
      '<style>@font-face { font-family: x }</style>ran<script>Object.defineProperty(document, "fonts", { value: { ready: new Promise(() => {}) } })</script>',
    ],
    ['document.write', '<script>document.write("<p>ran</p>")</script>'],
  ])('%s runs', async (_, html) => expect(await textOf(html)).toBe('ran'));

  it('noscript content is hidden', async () => {
    expect(await textOf('<noscript>no script here</noscript><p>x</p>')).toBe('x');
  });

  it('dialogs and new windows do nothing', async () => {
    const html = `<p id="x"></p><script>
      const said = [alert('a'), confirm('b'), prompt('c'), window.open('about:blank'), window.open('data:text/html,x')];
      x.textContent = JSON.stringify(said); print();
    </script>`;
    expect(await textOf(html)).toBe('[null,false,null,null,null]');
  });

  /** Reports state that another document may have left, then leaves all kinds of state itself. */
  const TRACES = `<p id="seen"></p><p id="left"></p><script>
    const attempt = (work) => { try { return work() } catch (error) { return undefined } };
    const seen = {
      name: window.name, global: window.trace, own: Object.prototype.trace, history: history.length, state: history.state,
      cookie: attempt(() => document.cookie), local: attempt(() => localStorage.trace), session: attempt(() => sessionStorage.trace),
      opener: window.opener, title: document.title, hash: location.href, timers: window.ticks, referrer: document.referrer,
      marks: performance.getEntriesByName('trace').length, fonts: document.fonts.size, adopted: document.adoptedStyleSheets.length,
      elements: attempt(() => customElements.get('x-trace')) !== undefined,
    };
    document.getElementById('seen').textContent = JSON.stringify(seen);
    window.name = window.trace = Object.prototype.trace = 'trace'; document.title = 'trace';
    attempt(() => history.pushState({ trace: 1 }, '')); attempt(() => { document.cookie = 'trace=1' });
    attempt(() => { localStorage.trace = 1 }); attempt(() => { sessionStorage.trace = 1 });
    attempt(() => { location.hash = 'trace' });
    performance.mark('trace'); document.fonts.add(new FontFace('x', 'url(data:,)'));
    customElements.define('x-trace', class extends HTMLElement {});
    window.ticks = 0; const own = document.getElementById('seen');
    setInterval(() => { window.ticks += 1; if (!own.isConnected) document.body.textContent = 'a timer of another document' }, 1);
    attempt(() => { const other = new BroadcastChannel('trace'); other.onmessage = () => other.postMessage('trace') });
    document.getElementById('left').textContent = [window.name, window.trace, performance.getEntriesByName('trace').length];
  </script>`;

  it('a document finds no traces of another one, from the same or another account', async () => {
    const first = await textOf(TRACES);
    expect(first).toContain('trace,trace,1');
    for (const account of ['acme', 'acme', 'globex', 'acme', 'initech']) {
      expect(await textOf(TRACES, account)).toBe(first);
    }
  });

  /** Reports what it finds in every kind of browser storage, then writes to each one. */
  const KEEPING = `<p id="found"></p><script>
    const found = {};
    const attempt = async (name, look) => { try { found[name] = String(await look()) } catch (error) { found[name] = 'closed' } };
    const asked = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; request.onblocked = reject });
    const all = [
      attempt('cookie', () => { const before = document.cookie; document.cookie = 'kept=1; max-age=9999'; return before }),
      attempt('cookieStore', async () => { const before = (await cookieStore.getAll()).length; await cookieStore.set('kept', '1'); return before }),
      attempt('local', () => { const before = localStorage.kept; localStorage.kept = 1; return before }),
      attempt('session', () => { const before = sessionStorage.kept; sessionStorage.kept = 1; return before }),
      attempt('database', async () => { const before = (await indexedDB.databases()).length; await asked(indexedDB.open('kept')); return before }),
      attempt('caches', async () => { const before = await caches.has('kept'); await (await caches.open('kept')).put('/x', new Response('x')); return before }),
      attempt('worker', async () => { const before = (await navigator.serviceWorker.getRegistrations()).length; await navigator.serviceWorker.register('data:text/javascript,1'); return before }),
      attempt('shared worker', async () => { const w = new SharedWorker('data:text/javascript,let n=0;onconnect=(e)=>e.ports[0].postMessage(n++)'); return new Promise((resolve, reject) => { w.port.onmessage = ({ data }) => resolve(data); w.onerror = reject }) }),
      attempt('files', async () => { const root = await navigator.storage.getDirectory(); let n = 0; for await (const x of root.keys()) n += 1; await root.getFileHandle('kept', { create: true }); return n }),
      attempt('locks', async () => { const held = (await navigator.locks.query()).held.length; navigator.locks.request('kept', () => new Promise(() => {})); return held }),
    ];
    let done = false, rounds = 0;
    Promise.all(all).then(() => { done = true; document.getElementById('found').textContent = JSON.stringify(found) });
    // The document is printed once nothing is loading.
    const hold = () => { if (!done && rounds++ < 5000) { const i = new Image(); i.onload = i.onerror = hold; i.src = 'data:image/png,' + rounds } };
    hold();
  </script>`;
  const found = async (account: string) => {
    const { pages } = await fixture.read({ html: `<!doctype html><body>${KEEPING}` }, { account });
    return JSON.parse(pages.map(({ text }) => text).join('')) as Record<string, string>;
  };

  it('a document finds nothing in any browser storage', async () => {
    const first = await found('acme');
    expect(Object.keys(first)).toHaveLength(10);
    // All accessible storage is empty.
    for (const kept of Object.values(first))
      expect(['closed', '', '0', 'false', 'undefined']).toContain(kept);
    for (const account of ['acme', 'globex', 'acme', 'initech']) expect(await found(account)).toEqual(first);
  });

  it('a document receives no messages from another one that is printing concurrently', async () => {
    const chat = `<p id="x">alone</p><script>
      const room = new BroadcastChannel('room'); room.onmessage = () => { x.textContent = 'heard' }; room.postMessage('here');
      let left = 300; const next = () => { room.postMessage('here'); if (left-- > 0) { const i = new Image(); i.onload = i.onerror = next; i.src = 'data:image/png,' + left } };
      next();
    </script>`;
    const texts = await Promise.all(['a', 'b', 'a', 'b'].map((account) => textOf(chat, account)));
    expect(texts).toEqual(['alone', 'alone', 'alone', 'alone']);
  });

  it.each([
    ['a loop', '<script>for (;;) {}</script>'],
    ['a loop that writes', '<script>for (;;) document.write("<p>more</p>")</script>'],
    ['a loop of promises', '<script>const again = () => Promise.resolve().then(again); again()</script>'],
    ['a loop in a handler', '<svg onload="for (;;) {}"></svg>'],
    ['a regular expression', '<script>/^(a+)+$/.test("a".repeat(60) + "b")</script>'],
    [
      'repeated image loading',
      `<script>const go = () => { const i = new Image(); i.onload = i.onerror = go; i.src = 'data:image/png,' + Math.random() }; go()</script>`,
    ],
  ])('%s that never ends reaches the deadline, while others print', async (_, html) => {
    const endless = await fixture.order({ html }, { deadlineMs: 3000 });
    expect(textIn(await fixture.read(HELLO, { account: 'globex' }))).toBe('Hello');
    expect(await fixture.outcomeOf(endless)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'deadline_exceeded',
        message: 'rendering took longer than the limit of 3 s',
        retryable: false,
      },
    });
    expect(textIn(await fixture.read(HELLO))).toBe('Hello');
  });

  it.each([
    ['location', 'location = "about:blank"'],
    ['reload', 'location.reload()'],
    ['open and close', 'close(); location.replace("data:text/html,elsewhere")'],
    ['a form', 'document.body.innerHTML = "<form action=about:blank>"; document.forms[0].submit()'],
  ])('a document that leaves its page fails or stays: %s', async (_, script) => {
    const html = `<body><p>still here</p><script>${script}</script>`;
    const task = await fixture.order({ html });
    const outcome = await fixture.outcomeOf(task);
    if (outcome.status === 'completed') {
      const file = (await fixture.files.read(task.resultKey)) ?? Buffer.alloc(0);
      expect(textIn(await readPdf(file))).not.toContain('elsewhere');
    } else {
      expect(outcome.failure).toMatchObject({ code: 'document_navigates', retryable: false });
    }
    expect(textIn(await fixture.read(HELLO))).toBe('Hello');
  });
});

describe('the network with scripts on', () => {
  let listener: LoopbackListener;
  beforeAll(async () => {
    listener = await LoopbackListener.start();
  });
  afterAll(() => listener.stop());
  afterEach(() => expect(listener.seen).toEqual([]));

  it('stays off for every API that sends requests', async () => {
    const watched = await launchWatchedBrowser({ scripts: true });
    const page = await openPage(watched.browser, { scripts: true });
    const pdf = await page.print(ASKING.replaceAll('PORT', String(listener.port)), WARM_UP_SETTINGS);
    const text = textIn(await readPdf(pdf));
    for (const way of ['fetch', 'post', 'xhr', 'socket', 'events', 'import', 'worker', 'file', 'image']) {
      expect(text).toContain(`${way}:no`);
    }
    // WebRTC reports either no address or nothing at all.
    expect(text).toMatch(/rtc:(?:no|none|done)/);
    expect(text).not.toMatch(/:yes/);
    expect(await watched.stop()).toEqual([]);
  });
});

/** Sends requests in every way available to scripts, and delays the load event until each has a result. */
const ASKING = `<!doctype html><body><p id="said"></p><script>
  const at = '127.0.0.1:PORT', url = 'http://' + at + '/';
  const open = new Set(), said = [];
  const way = (name, work) => {
    open.add(name);
    const end = (word) => { if (open.delete(name)) { said.push(name + ':' + word); document.getElementById('said').textContent = said.join(' ') } };
    try { work(end) } catch (error) { end('no') }
  };
  const load = (element, attribute, value) => (end) => { element.onload = () => end('yes'); element.onerror = () => end('no'); element[attribute] = value; document.body.append(element) };
  way('fetch', (end) => fetch(url).then(() => end('yes'), () => end('no')));
  way('post', (end) => fetch(url, { method: 'POST', mode: 'no-cors', keepalive: true, body: 'secret' }).then(() => end('yes'), () => end('no')));
  way('file', (end) => fetch('file:///etc/passwd').then(() => end('yes'), () => end('no')));
  way('xhr', (end) => { const x = new XMLHttpRequest(); x.onload = () => end('yes'); x.onloadend = () => end('no'); x.open('GET', url); x.send() });
  way('socket', (end) => { const s = new WebSocket('ws://' + at); s.onopen = () => end('yes'); s.onerror = () => end('no') });
  way('socket-name', (end) => { const s = new WebSocket('ws://trifold-socket.example'); s.onopen = () => end('yes'); s.onerror = () => end('no') });
  way('events', (end) => { const s = new EventSource(url); s.onopen = () => end('yes'); s.onerror = () => { s.close(); end('no') } });
  way('import', (end) => import(url + 'x.js').then(() => end('yes'), () => end('no')));
  way('image', load(new Image(), 'src', url + 'i'));
  way('script', load(document.createElement('script'), 'src', url + 's'));
  way('worker', (end) => {
    const code = 'fetch("' + url + '").then(() => postMessage("yes"), () => postMessage("no"))';
    const w = new Worker(URL.createObjectURL(new Blob([code]))); w.onmessage = ({ data }) => end(data); w.onerror = () => end('no');
  });
  way('transport', (end) => { const t = new WebTransport('https://' + at); t.ready.then(() => end('yes'), () => end('no')); t.closed.catch(() => {}) });
  way('rtc', (end) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: ['stun:' + at, 'turn:' + at + '?transport=tcp'], username: 'u', credential: 'c' }] });
    peer.createDataChannel('x'); peer.onicecandidate = ({ candidate }) => { if (!candidate) end('done') };
    peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(() => end('none'));
  });
  navigator.sendBeacon?.(url + 'beacon', 'secret');
  for (const [rel, href] of [['preconnect', url], ['dns-prefetch', '//trifold-dns.example'], ['prefetch', url + 'p'], ['prerender', url]]) {
    document.head.append(Object.assign(document.createElement('link'), { rel, href }));
  }
  const frame = document.createElement('iframe'); frame.src = url + 'frame'; document.body.append(frame);
  document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ source: 'list', urls: [url] }], prerender: [{ source: 'list', urls: [url] }] }) }));
  const link = Object.assign(document.createElement('a'), { href: '#', ping: url + 'ping' }); document.body.append(link); link.click();
  let rounds = 0;
  const hold = () => { if (open.size > 0 && rounds++ < 20000) { const i = new Image(); i.onload = i.onerror = hold; i.src = 'data:image/png,' + rounds } };
  hold();
</script>`;
