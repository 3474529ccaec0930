import type { ComponentChildren } from 'preact';
import { classes } from '../../../components/classes.ts';
import styles from '../editor.module.css';

interface PanelFormProps {
  /** Accessible name of the group of fields. */
  readonly label: string;
  readonly readOnly: boolean;
  readonly children: ComponentChildren;
}

/** The fields of an editor panel. */
export function PanelForm({ label, readOnly, children }: PanelFormProps) {
  return (
    <fieldset class={classes(styles.form, 'stack')} disabled={readOnly}>
      <legend class="visually-hidden">{label}</legend>
      {children}
    </fieldset>
  );
}
