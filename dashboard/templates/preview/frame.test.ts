import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dashboard } from '../../testing/dashboard.ts';

/** Everything that could run, load, navigate or send. `host`: where it would load from. */
const hostile = (host: string) => `<!doctype html>
<html>
  <head>
    <base href="${host}/base/">
    <meta http-equiv="refresh" content="0; url=/v1/templates">
    <link rel="stylesheet" href="${host}/style">
    <link rel="preconnect" href="${host}">
    <link rel="prefetch" href="${host}/prefetch">
    <style>@import url(${host}/import); p { background: url(${host}/background) }</style>
    <script>top.ran = window.ran = 'script'</script>
    <script src="${host}/script"></script>
  </head>
  <body onload="window.ran = 'onload'">
    <noscript><meta http-equiv="refresh" content="0; url=/v1/templates"></noscript>
    <img src="${host}/image" onerror="window.ran = 'onerror'">
    <img src="relative">
    <svg onload="window.ran = 'svg'"><script>window.ran = 'svg script'</script><image href="${host}/svg"/></svg>
    <iframe src="${host}/frame"></iframe>
    <iframe srcdoc="<script>top.ran = 'srcdoc'</script>"></iframe>
    <object data="${host}/object"></object><embed src="${host}/embed">
    <video src="${host}/video" poster="${host}/poster" autoplay></video>
    <form action="${host}/form" method="post"><button id="send">Send</button></form>
    <a id="same" href="/dashboard/keys">same</a>
    <a id="top" href="${host}/top" target="_top">top</a>
    <a id="new" href="${host}/new" target="_blank">new</a>
    <a id="script" href="javascript:window.ran = 'link'">script</a>
    <p style="color: rgb(1, 2, 3)">The end</p>
  </body>
</html>`;

let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await Dashboard.open();
  await dashboard.signIn(undefined, '/keys');
});
afterEach(async () => dashboard.close());

/** Adds the frame of previews to the page. */
async function openFrame(): Promise<Frame> {
  await dashboard.page.evaluate(`new Promise((resolve) => {
    const frame = Object.assign(document.createElement('iframe'), { id: 'shown', src: '/dashboard/frame', onload: resolve });
    document.body.append(frame);
  })`);
  return dashboard.page.waitForFrame((each) => each.url().endsWith('/dashboard/frame'));
}

const show = async (html: string) =>
  dashboard.page.evaluate(
    `document.getElementById('shown').contentWindow.postMessage(${JSON.stringify(html)}, '*')`,
  );

describe('The frame of HTML previews', () => {
  it('runs nothing, loads nothing and leads nowhere', async () => {
    const received: (string | undefined)[] = [];
    const outside = createServer((request, response) => {
      received.push(request.url);
      response.end();
    });
    outside.on('connection', () => received.push('connection'));
    await new Promise<void>((resolve) => void outside.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
    // The policy reports what it stops.
    dashboard.expectComplaint(/Content Security Policy|sandboxed/);
    dashboard.expectComplaint(new RegExp(`: ${host}|/relative`));

    const frame = await openFrame();
    const url = frame.url();
    await show(hostile(host));
    await frame.waitForSelector('p');
    expect(await frame.evaluate('getComputedStyle(document.querySelector("p")).color')).toBe('rgb(1, 2, 3)');
    for (const id of ['send', 'same', 'top', 'new', 'script']) await frame.click(`#${id}`);
    // A second document is shown only if the first one led nowhere.
    await show('<!doctype html><h1>Second</h1>');
    await frame.waitForSelector('h1');
    expect(frame.url()).toBe(url);
    expect(dashboard.page.url()).toContain('/dashboard/keys');
    expect(await dashboard.page.browser().pages()).toHaveLength(2);
    expect(await frame.evaluate('window.ran')).toBeUndefined();
    expect(await dashboard.page.evaluate('window.ran')).toBeUndefined();
    expect(received).toEqual([]);
    outside.close();
  });

  it('has an origin of its own, without the session', async () => {
    const frame = await openFrame();
    const denied = async (code: string) =>
      frame.evaluate(
        `(() => { try { ${code}; return false } catch (error) { return error.name === 'SecurityError' } })()`,
      );
    expect(await frame.evaluate('origin')).toBe('null');
    expect(await denied('parent.document')).toBe(true);
    expect(await denied('localStorage')).toBe(true);
    expect(await denied('document.cookie')).toBe(true);
    expect(await dashboard.page.evaluate('document.getElementById("shown").contentDocument')).toBeNull();
  });

  it('shows nothing that another window sends', async () => {
    const frame = await openFrame();
    await frame.evaluate(`window.postMessage('<h1>Own</h1>', '*')`);
    await show('<h2>Parent</h2>');
    await frame.waitForSelector('h2');
    expect(await frame.$('h1')).toBeNull();
  });
});
