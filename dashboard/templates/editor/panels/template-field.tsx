import { useComputed, type ReadonlySignal } from '@preact/signals';
import { Field } from '../../../components/controls/field.tsx';
import { TemplateInput, type TemplateInputProps } from '../../code/template-input.tsx';
import { useMarks } from '../../problems/find-problems.ts';
import type { Problem } from '../../problems/problem.ts';

interface TemplateFieldProps extends Omit<TemplateInputProps, 'problems' | 'id'> {
  readonly label: string;
  readonly hint: string;
  /** Problems of the template. A different signal is ignored. */
  readonly problems: ReadonlySignal<readonly Problem[]>;
  /** JSON Pointer to the text in the preview request. */
  readonly path: string;
}

/** A short string with bindings. Marks its problems on their lines, and shows the first error below. */
export function TemplateField({ label, hint, problems, path, ...input }: TemplateFieldProps) {
  const error = useComputed(() =>
    problems.value.find((problem) => problem.path === path && problem.severity === 'error'),
  );
  const marks = useMarks(problems, path);
  return (
    <Field label={label} hint={hint} error={error.value?.message}>
      <TemplateInput {...input} path={path} problems={marks} />
    </Field>
  );
}
