import type { DeliveryQuery } from '@trifold/client';
import { Filters, SelectFilter } from '../../components/controls/filters.tsx';
import { deliveries as messages, webhooks as webhooksTexts } from '../../messages/webhooks.ts';

export type DeliveryFilter = Pick<DeliveryQuery, 'status' | 'event' | 'endpoint'>;

const EVENTS = [
  ...Object.keys(webhooksTexts.eventMeanings),
  'generation.completed',
  'generation.failed',
  'webhook.test',
];

interface DeliveryFiltersProps {
  readonly filter: DeliveryFilter;
  readonly endpoints: ReadonlyMap<string, string>;
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** The list's filters. A change takes effect immediately. */
export function DeliveryFilters({ filter, endpoints, onChange }: DeliveryFiltersProps) {
  const select = (
    name: keyof DeliveryFilter,
    label: string,
    options: Iterable<readonly [string, string]>,
  ) => (
    <SelectFilter
      label={label}
      name={name}
      value={filter[name]}
      options={options}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <Filters label={messages.filters}>
      {select('status', messages.status, Object.entries(messages.states))}
      {select(
        'event',
        messages.event,
        EVENTS.map((event) => [event, event] as const),
      )}
      {select('endpoint', messages.endpoint, endpoints)}
    </Filters>
  );
}
