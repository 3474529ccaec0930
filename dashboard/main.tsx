import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { BrowserSession, linkToken, SessionContext } from './session/session.ts';
import { loadPdfEngine } from './shell/pages.tsx';
import { applyTheme } from './shell/theme.ts';

applyTheme();
// Starts before the session is known, because the first page of the editor needs PDF.js.
if (/^\/dashboard\/templates\/(?!new$)[^/]/.test(location.pathname)) loadPdfEngine();
const root = document.getElementById('app');
if (!root) throw new Error('the page has no element #app');
// A sign-in link opened in this tab changes only the fragment.
addEventListener('hashchange', () => {
  if (linkToken() !== undefined) location.reload();
});
render(
  <SessionContext.Provider value={new BrowserSession()}>
    <App />
  </SessionContext.Provider>,
  root,
);
