import {
  snippet,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { SyntaxNode } from '@lezer/common';
import { eInvoice as messages } from '../../messages/e-invoices.ts';
import { namesAround, namesIn, objectAround } from './mapping-tree.ts';
import {
  entriesOf,
  entryOf,
  INVOICE,
  isRequiredIn,
  numberOf,
  type EInvoiceProfile,
  type InvoiceEntry,
} from './terms.ts';

/** A key, and the snippet for its value. */
interface Key extends Omit<Completion, 'apply' | 'label'> {
  readonly label: string;
  readonly value: string;
}

/** Snippets for a value that the user types, a binding, and the content of a group. */
const TEXT = '"#{}"';
const BINDING = '"{{#{}}}"';
const GROUP = '{\n\t#{}\n}';
const LIST = '{\n\t"each": "#{}",\n\t"item": {\n\t\t#{}\n\t}\n}';
const WITH_SCHEME = '{ "value": "{{#{}}}", "scheme": "#{}" }';

/** Completes a key of the mapping with the terms and groups that its object can still have. */
export function completeKey(context: CompletionContext, profile: EInvoiceProfile): CompletionResult | null {
  const { state, pos } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  const from = startOfKey(context, node);
  const object = objectAround(node);
  if (from === undefined || !object) return null;
  const names = namesAround(object, state.doc);
  const own = node.name === 'PropertyName' ? state.sliceDoc(node.from + 1, node.to - 1) : '';
  const used = namesIn(object, state.doc).filter((name) => name !== own);
  const keys = keysIn(names, used, profile).filter(({ label }) => !isUsed(label, used));
  return { from, options: keys.map(optionOf), validFor: /^[^"\\\n]*$/ };
}

function isUsed(label: string, used: readonly string[]): boolean {
  return used.some((name) => numberOf(name) === numberOf(label));
}

/** Returns where the key before the cursor begins, without its quote; undefined if the cursor is elsewhere. */
function startOfKey({ state, pos, explicit }: CompletionContext, node: SyntaxNode): number | undefined {
  if (node.name === 'PropertyName') return pos > node.from ? node.from + 1 : undefined;
  if (node.name === 'String') return undefined;
  const word = /[\w-][\w -]*$/.exec(state.sliceDoc(state.doc.lineAt(pos).from, pos))?.[0] ?? '';
  const from = pos - word.length;
  const isPlace = /[{,]\s*$/.test(state.sliceDoc(Math.max(0, from - MAX_SPACE), from));
  return isPlace && (explicit || word !== '') ? from : undefined;
}

/** Number of characters searched for the brace or comma before a key. */
const MAX_SPACE = 200;

/** `names`: the keys around the object, innermost first. `used`: the keys that it has. */
function keysIn(names: readonly string[], used: readonly string[], profile: EInvoiceProfile): readonly Key[] {
  const [innermost = ''] = names;
  const entry = names.map(entryOf).find((found) => found !== undefined) ?? INVOICE;
  const isItem = innermost === 'item';
  const canBeList = entry.isList === true && !isItem;
  if (canBeList && used.some((name) => name === 'each' || name === 'item')) return LIST_KEYS;
  const content = entry.entries ? termKeys(entry, profile) : valueKeys(entry);
  return canBeList ? [...content, ...LIST_KEYS] : content;
}

const LIST_KEYS: readonly Key[] = [
  { label: 'each', value: TEXT, detail: messages.each, type: 'keyword', boost: -1 },
  { label: 'item', value: GROUP, detail: messages.item, type: 'keyword', boost: -1 },
];

function valueKeys({ scheme }: InvoiceEntry): readonly Key[] {
  if (scheme === undefined) return [];
  return ['value', 'scheme'].map((label) => ({ label, value: TEXT, type: 'keyword' }));
}

function termKeys(group: InvoiceEntry, profile: EInvoiceProfile): readonly Key[] {
  return entriesOf(group, profile).map((entry, index): Key => {
    const isRequired = isRequiredIn(entry, profile);
    const info = infoOf(entry);
    return {
      label: entry.title,
      value: contentOf(entry),
      sortText: String(index).padStart(3, '0'),
      type: entry.entries ? 'namespace' : 'property',
      ...(isRequired && { detail: messages.required, boost: 1 }),
      ...(info !== '' && { info }),
    };
  });
}

function infoOf({ type, codes, scheme, isList }: InvoiceEntry): string {
  const schemeText = scheme && messages.schemes[scheme];
  return [type ?? messages.group, codes, schemeText, isList && messages.list].filter(Boolean).join(', ');
}

function contentOf({ entries, isList, type, scheme }: InvoiceEntry): string {
  if (entries) return isList ? LIST : GROUP;
  if (scheme === 'required') return WITH_SCHEME;
  return type === 'code' ? TEXT : BINDING;
}

/** Inserts the key and its value, between the quotes that the user has typed, and offers what can follow. */
function optionOf({ value, ...shown }: Key): Completion {
  return {
    ...shown,
    apply: (view, completion, from, to) => {
      const { state } = view;
      const start = from - Number(state.sliceDoc(from - 1, from) === '"');
      const end = to + Number(state.sliceDoc(to, to + 1) === '"');
      const rest = state.sliceDoc(end, end + MAX_SPACE).trimStart();
      const comma = rest.startsWith('"') ? ',' : '';
      const content = rest.startsWith(':') ? '#{}' : `: ${value}${comma}`;
      snippet(`"${shown.label}"${content}`)(view, completion, start, end);
      startCompletion(view);
    },
  };
}
