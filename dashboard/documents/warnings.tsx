import './documents.css';
import type { CompletedGeneration } from '@trifold/client';
import { documents as messages } from '../messages/documents.ts';

/** What may differ from what the author meant, and what to do about it. */
export function Warnings({ warnings }: Pick<CompletedGeneration, 'warnings'>) {
  return (
    <ul class="warnings">
      {warnings.map(({ code, message, detail }) => (
        <li key={`${code} ${detail}`}>
          <p>
            {message} <code>{detail}</code>
          </p>
          <p class="small muted">
            <code>{code}</code>: {messages.warningRemedies[code]}
          </p>
        </li>
      ))}
    </ul>
  );
}
