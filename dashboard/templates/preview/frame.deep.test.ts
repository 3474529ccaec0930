import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'puppeteer-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { dashboard } from '../../testing/each-test.ts';

const PICTURE = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'/>`;

/** Links of the hostile document, by the ID of the visible element. */
const LINKS = ['same', 'top', 'new', 'script', 'ping', 'area', 'svg', 'xlink', 'animated', 'math'];

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
    <iframe srcdoc="<script>top.ran = 'srcdoc'</script><a href='${host}/srcdoc'>srcdoc</a>"></iframe>
    <object data="${host}/object"></object><embed src="${host}/embed">
    <video src="${host}/video" poster="${host}/poster" autoplay></video>
    <form action="${host}/form" method="post"><button id="send">Send</button></form>
    <a id="same" href="/dashboard/keys">same</a>
    <a id="top" href="${host}/top" target="_top">top</a>
    <a id="new" href="${host}/new" target="_blank">new</a>
    <a id="script" href="javascript:window.ran = 'link'">script</a>
    <a id="ping" href="#end" ping="${host}/ping" target="_blank">ping</a>
    <img id="area" usemap="#map" width="40" height="40" src="${PICTURE}">
    <map name="map"><area shape="default" href="${host}/area"></map>
    <svg width="300" height="40">
      <a href="${host}/svg-link"><text id="svg" y="20">svg</text></a>
      <a xlink:href="${host}/xlink"><text id="xlink" x="60" y="20">xlink</text></a>
      <a><set attributeName="href" to="${host}/set"/><animate attributeName="href" values="${host}/animate" fill="freeze"/>
        <text id="animated" x="120" y="20">animated</text></a>
    </svg>
    <math><mi id="math" href="${host}/math">math</mi></math>
    <p style="color: rgb(1, 2, 3)">The end</p>
  </body>
</html>`;

beforeEach(async () => {
  await dashboard.signIn(undefined, '/keys');
});

/** Adds the preview frame to the page. */
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
  it('runs nothing, loads nothing and navigates nowhere', async () => {
    const received: (string | undefined)[] = [];
    const outside = createServer((request, response) => {
      received.push(request.url);
      response.end();
    });
    outside.on('connection', () => received.push('connection'));
    await new Promise<void>((resolve) => void outside.listen(0, '127.0.0.1', resolve));
    const host = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
    // The policy reports what it blocks.
    dashboard.expectComplaint(/Content Security Policy|sandboxed/);
    dashboard.expectComplaint(new RegExp(`: ${host}|/relative|/dashboard/frame#$`));

    const frame = await openFrame();
    const url = frame.url();
    await show(hostile(host));
    await frame.waitForSelector('p');
    expect(await frame.evaluate('getComputedStyle(document.querySelector("p")).color')).toBe('rgb(1, 2, 3)');
    await frame.click('#send');
    for (const id of LINKS) {
      await frame.click(`#${id}`, { button: 'middle' });
      await frame.click(`#${id}`);
    }
    // URLs that the user could open from a link's context menu.
    const left = `[...document.querySelectorAll('*')].flatMap((element) => [...element.attributes])
      .filter(({ localName, value }) => ['ping', 'target'].includes(localName) || (localName === 'href' && value[0] !== '#'))
      .map(({ ownerElement }) => ownerElement.outerHTML)`;
    expect(await frame.evaluate(left)).toEqual([]);
    expect(frame.childFrames()).toEqual([]);
    // A second document is shown only if the first one did not navigate away.
    await show('<!doctype html><h1>Second</h1>');
    await frame.waitForSelector('h1');
    expect(frame.url().split('#')[0]).toBe(url);
    expect(dashboard.page.url()).toContain('/dashboard/keys');
    expect(await dashboard.page.browserContext().pages()).toHaveLength(1);
    expect(await frame.evaluate('window.ran')).toBeUndefined();
    expect(await dashboard.page.evaluate('window.ran')).toBeUndefined();
    expect(received).toEqual([]);
    outside.close();
  });

  it('shows images in the document, and follows links inside it only with the main button', async () => {
    const frame = await openFrame();
    await show(`<svg width="100" height="100">
      <defs><circle id="dot" r="10"/></defs><use href="#dot"/><use xlink:href="#dot"/>
      <image href="${PICTURE}"/><image xlink:href="${PICTURE.replace('data:', 'DATA:')}"/></svg>
      <a id="link" href="#end">inside</a><div style="height: 5000px"></div><p id="end">The end</p>`);
    await frame.waitForSelector('p');
    // Rejects if the image was not loaded.
    await frame.evaluate(
      `Promise.all([...document.querySelectorAll('image')].map((image) => image.decode()))`,
    );
    expect(
      await frame.evaluate(`[...document.querySelectorAll('use')].map((use) => use.getBBox().width)`),
    ).toEqual([20, 20]);
    await frame.click('#link', { button: 'middle' });
    expect(await frame.evaluate('scrollY')).toBe(0);
    await frame.click('#link');
    await frame.waitForFunction('scrollY > 1000');
    expect(await dashboard.page.browserContext().pages()).toHaveLength(1);
  });

  it('shows one document after another, regardless of their element names', async () => {
    const ofForms = ['attributes', 'localName', 'removeAttribute', 'closest', 'remove'];
    const ofDocuments = ['documentElement', 'adoptNode', 'replaceChild', 'querySelectorAll'];
    const frame = await openFrame();
    await show(
      `<form href="x" target="_top">${ofForms.map((name) => `<input name="${name}">`).join('')}</form>
      ${ofDocuments.map((name) => `<img name="${name}" alt="">`).join('')}<p>First</p>`,
    );
    await frame.waitForSelector('form[href="#"]:not([target]) ~ p');
    await show('<h1>Second</h1>');
    await frame.waitForSelector('h1');
  });

  it('has a separate origin, without the session', async () => {
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
