import { useComputed, type ReadonlySignal } from '@preact/signals';
import type { PreviewError } from '@trifold/client';
import { Field } from '../../../components/controls/field.tsx';
import { TemplateInput, type TemplateInputProps } from '../../code/template-input.tsx';
import { findTextProblems } from '../draft/part-problems.ts';

interface TemplateFieldProps extends Omit<TemplateInputProps, 'problems' | 'id'> {
  readonly label: string;
  readonly hint: string;
  /** Errors of a preview. Another signal is ignored. */
  readonly errors: ReadonlySignal<readonly PreviewError[]>;
  /** Path of the text in these errors. */
  readonly path: string;
}

/** A short text with bindings. Shows its errors at their line, and the first one below. */
export function TemplateField({ label, hint, errors, path, ...input }: TemplateFieldProps) {
  const own = useComputed(() => errors.value.filter((error) => error.path === path));
  const problems = useComputed(() => findTextProblems(own.value));
  return (
    <Field label={label} hint={hint} error={own.value[0]?.message}>
      <TemplateInput {...input} problems={problems} />
    </Field>
  );
}
