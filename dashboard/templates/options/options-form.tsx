import type { Extension } from '@codemirror/state';
import type { ReadonlySignal } from '@preact/signals';
import type { GenerationOptions } from '@trifold/client';
import { options as messages } from '../../messages/template-editor.ts';
import { Choice } from '../../components/controls/field.tsx';
import { PanelForm } from '../editor/panels/panel-form.tsx';
import { TemplateField } from '../editor/panels/template-field.tsx';
import { isObject } from '../json-text.ts';
import type { Problem } from '../problems/problem.ts';
import {
  expanded,
  isAllowed,
  OPTIONS,
  valuesOfMembers,
  withInnerMember,
  withMember,
  withOption,
  type Option,
} from './edit-options.ts';
import { OptionField } from './option-field.tsx';
import { PageDrawing } from './page-drawing.tsx';
import styles from './options-form.module.css';

interface OptionsFormProps {
  readonly options: GenerationOptions;
  /** Receives the JSON of the changed options. */
  readonly onChange: (json: string) => void;
  readonly readOnly: boolean;
  /** Language of options that are HTML. */
  readonly extensions: Extension;
  /** Problems of the template. */
  readonly problems: ReadonlySignal<readonly Problem[]>;
}

const FIRST_GROUP = OPTIONS.findIndex(isGroup);
/** Fields of a group that take a full row. */
const WIDE_KINDS: ReadonlySet<Option['kind']> = new Set(['flag', 'html', 'text', 'list']);
/** The options before the first group describe the page. */
const PAGE = OPTIONS.slice(0, FIRST_GROUP);
const GROUPS = OPTIONS.filter(isGroup);
const FLAGS = OPTIONS.filter(isFlag);
const OTHERS = OPTIONS.slice(FIRST_GROUP).filter((option) => !isGroup(option) && !isFlag(option));

/** The generation options as fields, in declaration order. */
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

/** A group with a switch shows its other fields only while the switch is on. */
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
      const path = `/default_options/${group.name}/${member.name}`;
      const field = <MemberField {...template} option={member} path={path} value={value} onChange={change} />;
      return { member, field };
    });
  const ofKind = (isShown: (member: Option) => boolean) =>
    fields.filter(({ member }) => isShown(member)).map(({ field }) => field);
  const isWide = ({ kind }: Option) => WIDE_KINDS.has(kind);
  return (
    <fieldset class="stack">
      <legend class={members.some(isFlag) ? 'visually-hidden' : undefined}>{label}</legend>
      {ofKind(isWide)}
      <div class={styles.grid}>{ofKind((member) => !isWide(member) && !isGroup(member))}</div>
      {ofKind(isGroup)}
    </fieldset>
  );
}

interface MemberFieldProps extends Pick<OptionsFormProps, 'extensions' | 'problems' | 'readOnly'> {
  readonly option: Option;
  /** JSON Pointer to the option in the preview request. */
  readonly path: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function MemberField(props: MemberFieldProps) {
  const { option, value, onChange, ...template } = props;
  if (option.kind === 'group') return <InnerGroupFields {...props} />;
  if (option.kind !== 'html') return <OptionField option={option} value={value} onChange={onChange} />;
  return (
    <TemplateField
      {...template}
      label={option.label}
      hint={option.description}
      value={typeof value === 'string' ? value : ''}
      onChange={(written) => onChange(written || undefined)}
      lines={3}
    />
  );
}

/** A nested group, such as the first-page header: a switch adds it and shows its fields. */
function InnerGroupFields({ option, path, value, onChange, ...template }: MemberFieldProps) {
  const { label, members = [] } = option;
  const whole = expanded(option, value);
  const values = isObject(whole) ? whole : {};
  return (
    <>
      <Choice
        checked={value !== undefined}
        onChange={({ currentTarget: { checked } }) => onChange(checked ? false : undefined)}
      >
        {label}
      </Choice>
      {value !== undefined &&
        members.map((member) => (
          <MemberField
            key={member.name}
            {...template}
            option={member}
            path={`${path}/${member.name}`}
            value={values[member.name]}
            onChange={(changed) => onChange(withInnerMember(option, value, member.name, changed))}
          />
        ))}
    </>
  );
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
