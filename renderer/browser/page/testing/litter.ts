/** Documents that reveal what another document left on the page. */
export const WITNESSES = {
  plain: `<!doctype html><title>t</title><style title="zz">h1 { color: red }</style><h1>hi</h1>
    <p style="font-size:2em">x <a href="rel">l</a><q>quote</q>
    <div style="color:canvastext;background:canvas">c</div>
    <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20>`,
  untitled: '<h1>hi</h1><table><tr><td>x</table><p style="width:100">y',
  media: `<!doctype html><style>@media (prefers-color-scheme: dark) { h1 { color: lime } }
    @media (max-width: 600px) { h1 { font-size: 80px } } h1 { font-family: X, serif; counter-increment: c }
    h1:before { content: counter(c) } :target { color: red }</style>
    <h1 id=t>hi</h1><p id=p>x<svg width=50 height=50><rect width=50 height=50 fill="url(#g)"/></svg>`,
  language: `<!doctype html><style>p { hyphens: auto; width: 80px } :lang(de) { color: red } q { quotes: auto }</style>
    <p>internationalization <q>quoted</q> 骨`,
};

/** Documents that try to leave state behind. */
export const LITTERERS = {
  'text and a title': '<title>secret</title><p>secret',
  'no doctype': '<table><tr><td>quirky',
  'a titled stylesheet': `<style title="aa">h1 { display: none }</style>
    <link rel="alternate stylesheet" title="bb" href="data:text/css,h1{display:none}">`,
  'a titled link': '<link rel=stylesheet title=aa href="data:text/css,p{display:none}">',
  'a base URL': '<base href="http://elsewhere.example/"><base target=x>',
  'a language': '<html lang=de dir=rtl><body>',
  'colours of the body': '<body bgcolor=red text=lime link=blue>',
  'the colour of links': '<body link=lime>',
  'CSS rules for all elements': `<style>@page { size: a5 landscape; margin: 5cm }
    :root { color-scheme: dark; font-size: 40px } * { color: red !important }
    @font-face { font-family: X; src: local("DejaVu Sans Mono") }
    @property --v { syntax: "<color>"; inherits: true; initial-value: red }
    @counter-style z { system: cyclic; symbols: x } @keyframes k { to { opacity: 0 } }
    h1 { animation: k 1s infinite } html { zoom: 3; writing-mode: vertical-rl }</style><h1>x`,
  'frames and dialogs': `<iframe srcdoc="<h1>x"></iframe><dialog open>dd</dialog><details open>x</details>
    <object data="data:text/html,x"></object>`,
  'animated drawings': `<svg><defs><linearGradient id=g><stop stop-color=red></linearGradient></defs>
    <animate attributeName=x from=0 to=100 dur=1s repeatCount=indefinite /></svg>`,
  'forms and names':
    '<div id=t><div id=p><form id=f><input name=n value=typed autofocus></form><a name=top></a>',
  'a frameset': '<frameset cols=50%,50%><frame src="data:text/html,x"><frame src="about:blank"></frameset>',
  'a viewport': '<meta name="viewport" content="width=300, initial-scale=3">',
  'an encoding': '<meta charset="koi8-r">',
  'another encoding': '<meta http-equiv="content-type" content="text/html; charset=koi8-r">',
  'a security policy': `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">`,
  'a default language': '<meta http-equiv="content-language" content="de">',
  'a colour scheme': '<meta name="color-scheme" content="dark">',
  'a default style':
    '<meta http-equiv="default-style" content="qq"><style title=qq>h1 { color: blue }</style>',
  'a referrer policy': '<meta name="referrer" content="no-referrer"><meta name="theme-color" content="#f00">',
  'other policies': `<meta http-equiv="x-dns-prefetch-control" content="on"><meta http-equiv=origin-trial content=x>`,
  'a delayed refresh': '<meta http-equiv="refresh" content="60;url=about:blank">',
  'an immediate refresh': '<meta http-equiv="refresh" content="0;url=http://elsewhere.example/">',
  'media and maths': `<video autoplay src="data:video/mp4;base64,AAAA"></video><canvas></canvas><math><mi>x</mi></math>
    <template><h1>x</h1></template><marquee>m</marquee><h1 popover>x`,
};
