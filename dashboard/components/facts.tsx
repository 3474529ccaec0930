import './facts.css';
import type { ComponentChildren } from 'preact';

/** One line of a list of facts (`dl.facts`). */
export function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
