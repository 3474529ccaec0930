import type { Draft } from '../editor/draft/draft.ts';
import { formatJson, isObject, parseObject } from '../json-text.ts';

/** The strings being edited. */
export interface EditedTexts extends Pick<Draft, 'html' | 'css' | 'schema' | 'options' | 'email'> {
  /** Sample data, JSON. */
  readonly data: string;
}

/** A string with bindings or CSS. */
export interface FixedText {
  readonly text: string;
  /** Returns the change that replaces the text. */
  readonly replacedBy: (text: string) => Partial<EditedTexts>;
}

/** Returns the text at a path in the preview request; undefined if a fix cannot change it. */
export function fixedTextAt(path: string, texts: EditedTexts): FixedText | undefined {
  const [, part = '', ...names] = path.split('/');
  if (part === 'html' || part === 'css') {
    return { text: texts[part], replacedBy: (text) => ({ [part]: text }) };
  }
  if (part === 'email') {
    return fixedIn(texts.email, names, (email) => ({ email: email as EditedTexts['email'] }));
  }
  const options = part === 'default_options' ? parseObject(texts.options) : undefined;
  if (!options || 'problem' in options) return undefined;
  return fixedIn(options.value, names, (value) => ({ options: formatJson(value) }));
}

function fixedIn(
  value: unknown,
  names: readonly string[],
  change: (value: unknown) => Partial<EditedTexts>,
): FixedText | undefined {
  const text = names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
  if (typeof text !== 'string') return undefined;
  return { text, replacedBy: (replacement) => change(withText(value, names, replacement)) };
}

function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  return isObject(value) ? { ...value, [name]: withText(value[name], rest, text) } : value;
}
