import './code-block.css';
import { CopyButton } from './copy-button.tsx';

/** Code or a command, with a button that copies it. `label`: what it is, for screen readers. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div class="code-block">
      <pre role="region" aria-label={label} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton value={code} label={label} />
    </div>
  );
}
