import type { Preview, PreviewError } from '@trifold/client';
import { formatNumber } from '../../components/format.ts';
import { preview as messages } from '../../messages/template-pages.ts';

/** The errors and warnings of a preview. */
export function PreviewProblems({ preview: { errors, warnings } }: { readonly preview: Preview }) {
  return (
    <div class="preview-problems" aria-live="polite">
      {errors.length > 0 && (
        <section class="problems danger" aria-label={messages.errors(errors.length)}>
          <strong>{messages.errors(errors.length)}</strong>
          <ul>
            {errors.map((error) => (
              <li key={JSON.stringify(error)}>
                <Position error={error} />
                {error.message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && (
        <section class="problems warning" aria-label={messages.warnings(warnings.length)}>
          <strong>{messages.warnings(warnings.length)}</strong>
          <ul>
            {warnings.map((warning) => (
              <li key={JSON.stringify(warning)}>
                <code>{warning.code}</code> {warning.message}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Position({ error: { path, line, column } }: { readonly error: PreviewError }) {
  const [part = '', ...below] = (path ?? '').split('/').slice(1);
  const name = [messages.parts[part], below.join('/')].filter(Boolean).join(' ');
  const position = [name, positionOf(line, column)].filter(Boolean).join(', ');
  return position === '' ? null : <strong>{position}: </strong>;
}

function positionOf(line: number | null, column: number | null): string {
  if (line === null) return '';
  if (column === null) return messages.line(formatNumber(line));
  return messages.position(formatNumber(line), formatNumber(column));
}
