/** The style sheet of the pages. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6577; --line: #d9dee6; --back: #fff; --shade: #f4f6f9;
  --link: #0b57b8; --get: #0b6e4f; --post: #0b57b8; --patch: #8a5a00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --soft: #9aa5b5; --line: #333c49; --back: #14181f;
  --shade: #1c222b; --link: #7db4ff; --get: #5fd0a5; --post: #7db4ff; --patch: #e0b050; --delete: #ff8a80; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--back); font: 16px/1.55 system-ui, sans-serif;
  display: grid; grid-template-columns: 19rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 2rem 1.5rem;
  border-right: 1px solid var(--line); background: var(--shade); font-size: .875rem; }
nav strong { display: block; margin: 1.1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .1rem 0; }
nav li a { display: flex; }
nav > a { font-size: 1.05rem; font-weight: 700; }
nav a { text-decoration: none; color: var(--ink); }
nav a:hover, h3 a:hover { text-decoration: underline; }
main { padding: 2rem 3rem 6rem; max-width: 66rem; }
a { color: var(--link); }
h1 { margin: 0 0 .5rem; } h1 small { font-size: 1rem; color: var(--soft); font-weight: normal; }
h2 { margin: 3.5rem 0 .25rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0 0 .25rem; } h3 a { color: inherit; text-decoration: none; }
h4 { margin: 1.25rem 0 .4rem; font-size: .8rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); }
.operation, .schema { padding: 2rem 0 1rem; border-bottom: 1px solid var(--line); }
p { margin: .5rem 0; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { padding: .9rem 1rem; overflow-x: auto; background: var(--shade); border: 1px solid var(--line);
  border-radius: 6px; max-height: 26rem; }
pre.command { white-space: pre-wrap; overflow-wrap: anywhere; }
.route code { font-size: 1rem; }
.route b, nav b { display: inline-block; min-width: 4.2em; font: 700 .75em/1.5 ui-monospace, monospace; }
nav b { flex: none; min-width: 4.8em; font-size: .7em; line-height: 2.1; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.status2, .status3 { color: var(--get); } .status4 { color: var(--patch); } .status5 { color: var(--delete); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8rem; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { white-space: nowrap; }
td em { font-size: .75rem; color: var(--delete); font-style: normal; margin-left: .35rem; }
small, .headers { color: var(--soft); font-size: .8rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .45rem .9rem; }
summary { cursor: pointer; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; } main { padding: 1.5rem; } }
@media print { nav { display: none; } body { display: block; } }
`;
