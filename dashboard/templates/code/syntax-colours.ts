import './syntax-colours.css';
import { syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { classHighlighter } from '@lezer/highlight';

/** Syntax highlighting colors, for both themes. */
export const syntaxColours: Extension = syntaxHighlighting(classHighlighter);
