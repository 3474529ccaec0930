import './styles/tokens.css';
import './styles/base.css';
import { render } from 'preact';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/theme.ts';

applyTheme();
const root = document.getElementById('app');
if (!root) throw new Error('the page has no element #app');
render(<App />, root);
