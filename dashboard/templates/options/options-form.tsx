import type { Extension } from '@codemirror/state';
import type { ReadonlySignal } from '@preact/signals';
import type { GenerationOptions, PreviewError } from '@trifold/client';
import { options as messages } from '../../messages/template-editor.ts';
import { PanelForm } from '../editor/panels/panel-form.tsx';
import { TemplateField } from '../editor/panels/template-field.tsx';
import { isAllowed, OPTIONS, valuesOfMembers, withMember, withOption, type Option } from './edit-options.ts';
import { OptionField } from './option-field.tsx';
import { PageDrawing } from './page-drawing.tsx';
import styles from './options-form.module.css';

interface OptionsFormProps {
  readonly options: GenerationOptions;
  /** Receives the JSON of the changed options. */
  readonly onChange: (json: string) => void;
  readonly readOnly: boolean;
  /** Language of options that are HTML. */
  readonly language: Extension;
  /** Errors of a preview in the options. */
  readonly errors: ReadonlySignal<readonly PreviewError[]>;
}

const FIRST_GROUP = OPTIONS.findIndex(isGroup);
/** The options before the first group describe the page. */
const PAGE = OPTIONS.slice(0, FIRST_GROUP);
const GROUPS = OPTIONS.filter(isGroup);
const FLAGS = OPTIONS.filter(isFlag);
const OTHERS = OPTIONS.slice(FIRST_GROUP).filter((option) => !isGroup(option) && !isFlag(option));

/** The generation options as fields, in the order of their declaration. */
export function OptionsForm(props: OptionsFormProps) {
  const { options, onChange, readOnly } = props;
  const fieldsOf = (shown: readonly Option[]) =>
    shown
      .filter((option) => isAllowed(option, options))
      .map((option) => (
        <OptionField
          key={option.name}
          option={option}
          value={(options as Readonly<Record<string, unknown>>)[option.name]}
          onChange={(value) => onChange(withOption(options, option.name, value))}
        />
      ));
  return (
    <PanelForm label={messages.title} readOnly={readOnly}>
      <div class={styles.page}>
        <div class={styles.grid}>{fieldsOf(PAGE)}</div>
        <PageDrawing options={options} />
      </div>
      {GROUPS.map((group) => (
        <GroupFields key={group.name} group={group} {...props} />
      ))}
      <div class={styles.grid}>{fieldsOf(OTHERS)}</div>
      <div>{fieldsOf(FLAGS)}</div>
    </PanelForm>
  );
}

/** A group with a switch shows its other fields while the switch is on. */
function GroupFields({
  group,
  options,
  onChange,
  ...template
}: OptionsFormProps & { readonly group: Option }) {
  const { label, members = [] } = group;
  const values = valuesOfMembers(group, options);
  const fields = members
    .filter((member) => isFlag(member) || isOn(group, options))
    .map((member) => {
      const change = (value: unknown) => onChange(withMember(options, group, member.name, value));
      const { [member.name]: value } = values;
      const field =
        member.kind === 'html' ? (
          <HtmlField {...template} group={group} option={member} value={value} onChange={change} />
        ) : (
          <OptionField option={member} value={value} onChange={change} />
        );
      return { member, field };
    });
  const ofKind = (isShown: (member: Option) => boolean) =>
    fields.filter(({ member }) => isShown(member)).map(({ field }) => field);
  const isWide = (member: Option) => isFlag(member) || member.kind === 'html';
  return (
    <fieldset class="stack">
      <legend class={members.some(isFlag) ? 'visually-hidden' : undefined}>{label}</legend>
      {ofKind(isWide)}
      <div class={styles.grid}>{ofKind((member) => !isWide(member))}</div>
    </fieldset>
  );
}

interface HtmlFieldProps extends Pick<OptionsFormProps, 'language' | 'errors' | 'readOnly'> {
  readonly group: Option;
  readonly option: Option;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function HtmlField({ group, option, value, onChange, language, errors, readOnly }: HtmlFieldProps) {
  return (
    <TemplateField
      label={option.label}
      hint={option.description}
      errors={errors}
      path={pathOf(group, option)}
      value={typeof value === 'string' ? value : ''}
      onChange={(written) => onChange(written || undefined)}
      extensions={language}
      readOnly={readOnly}
      lines={3}
    />
  );
}

/** Whether the field of a header or footer shows the errors of this path. */
export function isShownAtField(options: GenerationOptions, path: PreviewError['path']): boolean {
  return GROUPS.some((group) =>
    group.members?.some((member) => {
      return member.kind === 'html' && path === pathOf(group, member) && isOn(group, options);
    }),
  );
}

function pathOf(group: Option, { name }: Option): string {
  return `/default_options/${group.name}/${name}`;
}

function isOn(group: Option, options: GenerationOptions): boolean {
  const values = valuesOfMembers(group, options);
  return (group.members ?? [])
    .filter(isFlag)
    .every(({ name, default: byDefault }) => values[name] ?? byDefault);
}

function isGroup({ kind }: Option): boolean {
  return kind === 'group';
}

function isFlag({ kind }: Option): boolean {
  return kind === 'flag';
}
