import './documents.css';
import { text } from '../messages/text.ts';

const { documents: messages } = text;

const TABS = [
  { path: '/dashboard/documents', label: messages.title },
  { path: '/dashboard/batches', label: text.batches.title },
];

/** Links between the list of documents and the list of batches. `current`: path of this one. */
export function WorkTabs({ current }: { readonly current: string }) {
  return (
    <nav class="work-tabs" aria-label={messages.kinds}>
      {TABS.map(({ path, label }) => (
        <a href={path} key={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
