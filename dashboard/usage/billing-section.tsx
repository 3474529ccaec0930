import type { Billing } from '@trifold/client';
import { classes } from '../components/classes.ts';
import { Field, Options } from '../components/controls/field.tsx';
import { formatNumber } from '../components/format.ts';
import { Loaded } from '../components/notices/loading.tsx';
import { Notice } from '../components/notices/notice.tsx';
import { useResource } from '../loading/resource.ts';
import { usage as messages } from '../messages/usage.ts';
import { useSession } from '../session/session.ts';
import { formatDate, formatMoney } from './dates.ts';
import { Numbers } from './numbers.tsx';
import { monthsBefore } from './period.ts';
import styles from './usage.module.css';

const SHOWN_MONTHS = 36;

interface BillingSectionProps {
  /** The month, for example `2026-11`. */
  readonly month: string;
  readonly onMonth: (month: string) => void;
}

export function BillingSection({ month, onMonth }: BillingSectionProps) {
  const { client } = useSession();
  const billing = useResource(async (signal) => client.billing.get({ period: month }, { signal }), [month]);
  const months = new Set([...monthsBefore(new Date().toISOString(), SHOWN_MONTHS), month]);
  return (
    <section class={classes(styles.billing, 'stack')} aria-labelledby="billing">
      <h2 id="billing">{messages.billing}</h2>
      <div class={styles.picker}>
        <Field label={messages.month}>
          <select name="bill" value={month} onChange={({ currentTarget }) => onMonth(currentTarget.value)}>
            <Options of={Array.from(months, (one) => [one, formatDate(one)] as const)} />
          </select>
        </Field>
      </div>
      <Loaded resource={billing}>{(loaded) => <Bill bill={loaded} />}</Loaded>
    </section>
  );
}

function Bill({ bill: { currency, units, total, period } }: { readonly bill: Billing }) {
  const money = (amount: string | null) =>
    amount !== null && currency !== null ? formatMoney(amount, currency) : '–';
  return (
    <>
      {currency === null && <Notice>{messages.noPrices}</Notice>}
      <Numbers
        label={messages.billOf(formatDate(period))}
        columns={[messages.unit, messages.quantity, messages.unitPrice, messages.amount]}
        rows={units.map(({ unit, quantity, unit_price: price, amount }) => [
          messages.units[unit],
          formatNumber(quantity),
          money(price),
          money(amount),
        ])}
      >
        {total !== null && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {messages.total}
              </th>
              <td>{money(total)}</td>
            </tr>
          </tfoot>
        )}
      </Numbers>
      <p class="small muted">{messages.billNote}</p>
    </>
  );
}
