import '../templates/preview/preview-pane.css';
import { useSignal } from '@preact/signals';
import { Switch, type Choice } from '../components/switch.tsx';
import { emails as messages } from '../messages/emails.ts';
import { theme, type Theme } from '../shell/theme.ts';
import { HtmlFrame } from '../templates/preview/html-frame.tsx';

type Width = keyof typeof messages.widths;

const WIDTHS = choicesOf<Width>(messages.widths);
const THEMES = choicesOf<Theme>(messages.themes);

/**
 * The HTML of an email in the width and the theme of an inbox. The theme is the colour scheme of the frame, which media
 * queries in it match.
 */
export function InboxView({ html }: { readonly html: string }) {
  const width = useSignal<Width>('wide');
  const inboxTheme = useSignal<Theme>(theme.value);
  return (
    <div class="stack">
      <div class="row">
        <Switch
          label={messages.width}
          choices={WIDTHS}
          value={width.value}
          onChange={(value) => void (width.value = value)}
        />
        <Switch
          label={messages.theme}
          choices={THEMES}
          value={inboxTheme.value}
          onChange={(value) => void (inboxTheme.value = value)}
        />
      </div>
      <div
        class={`inbox ${width.value} ${inboxTheme.value}`}
        role="region"
        aria-label={messages.email}
        tabIndex={0}
      >
        <HtmlFrame html={html} />
      </div>
      <p class="small muted">
        {messages.themeNote} {messages.imagesNote}
      </p>
    </div>
  );
}

function choicesOf<Value extends string>(labels: Readonly<Record<Value, string>>): readonly Choice<Value>[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}
