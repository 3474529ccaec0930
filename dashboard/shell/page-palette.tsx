import { useLocation } from 'preact-iso';
import { palette as messages } from '../messages/palette.ts';
import { templates } from '../messages/template-editor.ts';
import { useSession } from '../session/session.ts';
import { Palette } from '../templates/palette/palette.tsx';
import { SECTIONS } from './sections.ts';
import { leavePage } from './unsaved-changes.tsx';

/** The commands of every page except the editor. */
export function PagePalette({ onClose }: { readonly onClose: () => void }) {
  const { allows } = useSession();
  const { route } = useLocation();
  const targets = SECTIONS.filter(({ scope }) => scope === undefined || allows(scope)).map(
    ({ path, label }) => ({ path: path || '/', label: messages.goTo(label) }),
  );
  if (allows('templates:write')) targets.push({ path: '/templates/new', label: templates.create });
  const entries = targets.map(({ path, label }) => ({
    id: path,
    label,
    run: () => leavePage(() => route(`/dashboard${path}`)),
  }));
  return <Palette title={messages.title} search={messages.search} entries={entries} onClose={onClose} />;
}
