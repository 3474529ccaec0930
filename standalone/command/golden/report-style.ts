/** Styles for the HTML report. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1c2024, #e6e8eb);
  --quiet: light-dark(#5c646d, #a0a8b1);
  --surface: light-dark(#fff, #16191d);
  --raised: light-dark(#f4f5f7, #1f242a);
  --border: light-dark(#d9dde2, #363d45);
  --red: light-dark(#b3261e, #ff8a80);
  --amber: light-dark(#8a5a00, #f0b849);
  --green: light-dark(#1b7038, #6fcf8e);
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem; max-width: 110rem; color: var(--text); background: var(--surface); font: 1rem/1.5 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.5rem }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere }
h3 span, .names span { color: var(--quiet); font-weight: 400 }
h4 { margin: 1.25rem 0 .5rem; font-size: .9rem }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline }
ul { margin: 0; padding: 0; list-style: none }
.counts { display: flex; flex-wrap: wrap; gap: 0 1.25rem }
.names li { overflow-wrap: anywhere }
.failed b, .failed h2 { color: var(--red) }
.elsewhere b, .elsewhere h2 { color: var(--amber) }
.passed b, .recorded b { color: var(--green) }
article { margin: 0 0 1.25rem; padding: 1rem 1.25rem; border: 1px solid var(--border); border-radius: .5rem }
.messages { margin-top: .5rem }
.messages li { overflow-wrap: anywhere }
pre { margin: .5rem 0; padding: .5rem .75rem; overflow-x: auto; background: var(--raised); border-radius: .25rem; font-size: .85rem; line-height: 1.45 }
pre > * { display: block; width: max-content; min-width: 100%; text-decoration: none }
pre span { color: var(--quiet) }
del { color: var(--red) }
ins { color: var(--green) }
.images { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem }
figure { margin: 0 }
figcaption { margin-bottom: .25rem; color: var(--quiet); font-size: .85rem }
img, .none { display: block; width: 100%; height: auto; border: 1px solid var(--border); background: #fff }
.none { margin: 0; padding: 2rem 1rem; text-align: center; color: var(--quiet); background: var(--raised) }
@media (max-width: 45rem) {
  body { padding: 1rem }
  article { padding: .75rem }
  .images { grid-template-columns: 1fr; max-width: 30rem }
}
`;
