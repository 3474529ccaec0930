import { css } from '@codemirror/lang-css';
import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { GenerationOptions, Preview } from '@trifold/client';
import { useMemo } from 'preact/hooks';
import { Choice } from '../../components/controls/field.tsx';
import { gallery as messages } from '../../messages/template-pages.ts';
import { UNKNOWN_SHAPE } from '../code/data-shape.ts';
import { htmlTemplate } from '../code/template-language.ts';
import { dataOfBindings } from '../editor/draft/from-template.ts';
import { TemplateField } from '../editor/panels/template-field.tsx';
import { objectIn } from '../json-text.ts';
import { OptionsForm } from '../options/options-form.tsx';
import { problemsOf } from '../problems/problem.ts';
import type { Starter } from './starters.ts';
import styles from './gallery-page.module.css';

/** The HTML, CSS and print options that the user enters. */
export interface PastedTemplate {
  readonly html: string;
  readonly css: string;
  readonly options: GenerationOptions;
  /** Whether the template gets a schema and sample data for its bindings. */
  readonly hasData: boolean;
}

/** Returns the starter with the user's input. Its description is only for the list of starters. */
export function withPasted(
  starter: Starter,
  { html, css: style, options, hasData }: PastedTemplate,
): Starter {
  const name = titleOf(html) || starter.template.name;
  const bound = hasData ? dataOfBindings(html) : undefined;
  const template = {
    name,
    html,
    ...(style !== '' && { css: style }),
    ...(bound && { schema: bound.schema }),
    default_options: options,
  };
  return { ...starter, template, samples: bound ? [{ name: messages.sample, data: bound.data }] : [] };
}

/** Maximum length of a template's name, in characters. */
const MAX_NAME_LENGTH = 200;

/** Returns the title of a page without its bindings. */
function titleOf(html: string): string {
  const { title } = new DOMParser().parseFromString(html, 'text/html');
  return title
    .replaceAll(/\{\{[^{}]*\}\}/g, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
}

interface PastedFormProps {
  readonly pasted: Signal<PastedTemplate>;
  /** The last preview. */
  readonly result: ReadonlySignal<Preview | undefined>;
}

/** Fields for pasted HTML, its CSS and its print options. */
export function PastedForm({ pasted, result }: PastedFormProps) {
  const language = useMemo(() => htmlTemplate(() => UNKNOWN_SHAPE), []);
  const styleLanguage = useMemo(() => css(), []);
  const problems = useComputed(() => (result.value ? problemsOf(result.value) : []));
  const optionsOpen = useSignal(false);
  const { html, css: style, options, hasData } = pasted.value;
  const bindings = dataOfBindings(html)?.count ?? 0;
  const change = (part: Partial<PastedTemplate>) => void (pasted.value = { ...pasted.value, ...part });
  const common = { problems, readOnly: false };
  return (
    <>
      <TemplateField
        {...common}
        label={messages.html}
        hint={messages.htmlHint}
        path="/html"
        value={html}
        onChange={(written) => change({ html: written })}
        extensions={language}
        lines={12}
      />
      {bindings > 0 && (
        <Choice
          checked={hasData}
          onChange={({ currentTarget }) => change({ hasData: currentTarget.checked })}
        >
          {messages.createData(bindings)}
        </Choice>
      )}
      <TemplateField
        {...common}
        label={messages.css}
        hint={messages.cssHint}
        path="/css"
        value={style}
        onChange={(written) => change({ css: written })}
        extensions={styleLanguage}
        lines={5}
      />
      <details
        class={styles.options}
        onToggle={({ currentTarget }) => void (optionsOpen.value = currentTarget.open)}
      >
        <summary>{messages.printOptions}</summary>
        {optionsOpen.value && (
          <OptionsForm
            {...common}
            options={options}
            onChange={(json) => change({ options: objectIn(json) ?? {} })}
            extensions={language}
          />
        )}
      </details>
    </>
  );
}
