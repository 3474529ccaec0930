import { json } from '@codemirror/lang-json';
import { syntaxTree } from '@codemirror/language';
import type { CompletionContext } from '@codemirror/autocomplete';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import { handlebarsCompletion } from '../code/handlebars-completion.ts';
import { handlebars, type GetShape } from '../code/template-language.ts';
import { completeList } from './list-completion.ts';
import { blocksAround } from './mapping-tree.ts';
import { completeKey } from './key-completion.ts';
import { EXCLUDED_HELPERS, type EInvoiceProfile } from './terms.ts';

/** A mapping as JSON: its keys are business terms, and its strings contain bindings. */
export function mappingLanguage(shape: GetShape, profile: () => EInvoiceProfile): Extension {
  const sources = [
    (context: CompletionContext) => completeKey(context, profile()),
    (context: CompletionContext) => completeList(context, shape()),
  ].map((autocomplete) => ({ autocomplete }));
  const around = ({ state, pos }: CompletionContext) =>
    blocksAround(syntaxTree(state).resolveInner(pos, -1), state.doc);
  return [
    json(),
    handlebars,
    handlebarsCompletion(shape, { layout: 'none', blocksAround: around, without: EXCLUDED_HELPERS }),
    Prec.high(EditorState.languageData.of(() => sources)),
  ];
}
