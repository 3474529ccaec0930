import type { ComponentChildren } from 'preact';
import styles from './usage.module.css';

interface NumbersProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** Cells by row; the first one names the row. */
  readonly rows: readonly (readonly string[])[];
  /** Last row. */
  readonly children?: ComponentChildren;
}

/** A table of numbers, which scrolls when it does not fit. */
export function Numbers({ label, columns, rows, children }: NumbersProps) {
  return (
    <div class={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table class={styles.numbers}>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {children}
      </table>
    </div>
  );
}
