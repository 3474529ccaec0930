import type { TemplateStatus } from '@trifold/client';
import { Badge } from '../components/content/badge.tsx';
import { templates as messages } from '../messages/template-editor.ts';

const KINDS = { active: 'success', draft: 'warning', archived: 'neutral' } as const;

export function StatusBadge({ status }: { readonly status: TemplateStatus }) {
  return <Badge kind={KINDS[status]}>{messages.statuses[status]}</Badge>;
}
