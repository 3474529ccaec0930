import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../../messages/text.ts';
import { classes } from '../classes.ts';
import { Field, Options } from './field.tsx';
import styles from './filters.module.css';

/** Milliseconds without a key press before the value takes effect. */
const DELAY_MS = 300;

/** Attributes of the field for a filter. */
export interface FilterField {
  readonly name: string;
  /** Undefined or an empty string: any value matches. */
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

interface SearchInputProps extends FilterField {
  readonly maxLength?: number;
  readonly placeholder?: string;
}

/** A list filter that the user types. Its value takes effect a moment after the last key press. */
export function SearchInput({ value = '', onChange, ...rest }: SearchInputProps) {
  const typed = useSignal(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The user's unfinished input is newer than the value.
    if (timer.current === undefined && typed.value.trim() !== value) typed.value = value;
  }, [value]);
  const input = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    typed.value = currentTarget.value;
    clearTimeout(timer.current);
    const { pathname } = location;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      // The code of the next page may still be loading.
      if (location.pathname === pathname) latest.current(typed.value.trim());
    }, DELAY_MS);
  };
  return <input {...rest} type="search" value={typed.value} autocomplete="off" onInput={input} />;
}

interface FiltersProps {
  /** Whether there are more than three. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** A list's filters. */
export function Filters({ isWide = false, children }: FiltersProps) {
  return (
    <div class={classes(styles.filters, isWide && styles.wide)} role="group" aria-label={text.common.filters}>
      {children}
    </div>
  );
}

interface SelectFilterProps extends FilterField {
  readonly label: string;
  /** Values with their labels. */
  readonly options: Iterable<readonly [value: string, label: string]>;
}

/** A list filter with predefined values. A change takes effect immediately. */
export function SelectFilter({ label, name, value = '', options, onChange }: SelectFilterProps) {
  return (
    <Field label={label}>
      <select name={name} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{text.common.any}</option>
        <Options of={options} />
      </select>
    </Field>
  );
}
