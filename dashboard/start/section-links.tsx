import { start as messages } from '../messages/start.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import { SECTIONS } from '../shell/sections.ts';

const MEANINGS: Readonly<Record<string, string>> = messages.sectionMeanings;

/** Links to the sections that the session may see. */
export function SectionLinks() {
  const { allows } = useSession();
  const sections = SECTIONS.filter(({ scope }) => scope !== undefined && allows(scope));
  return (
    <section class="stack" aria-labelledby="sections">
      <h2 id="sections">{messages.sections}</h2>
      <ul class="section-links">
        {sections.map(({ path, label }) => (
          <li key={path}>
            <a href={`/dashboard${path}`}>{label}</a>
            <p class="small muted">{MEANINGS[path]}</p>
          </li>
        ))}
        <li>
          <a href="/docs/" target="_blank" rel="noreferrer">
            {text.navigation.apiReference}
          </a>
          <p class="small muted">{messages.apiReferenceMeaning}</p>
        </li>
      </ul>
    </section>
  );
}
