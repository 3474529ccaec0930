import { en, type Messages } from './en.ts';

/** The texts of the dashboard in the language of the page. */
export const text: Messages = en;
