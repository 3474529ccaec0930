import type { TemplateStatus } from '@trifold/client';
import { Badge } from '../components/badge.tsx';
import { text } from '../messages/text.ts';

const KINDS = { active: 'success', draft: 'warning', archived: 'neutral' } as const;

export function StatusBadge({ status }: { readonly status: TemplateStatus }) {
  return <Badge kind={KINDS[status]}>{text.templates.statuses[status]}</Badge>;
}
