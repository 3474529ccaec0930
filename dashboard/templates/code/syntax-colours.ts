import './syntax-colours.css';
import { syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { classHighlighter } from '@lezer/highlight';

/** Colours of the language of a text, in both themes. */
export const syntaxColours: Extension = syntaxHighlighting(classHighlighter);
