import type { Usage } from '@trifold/client';
import { Empty } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Time } from '../components/content/time.tsx';
import { Button } from '../components/controls/button.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { Notice } from '../components/notices/notice.tsx';
import { saveFile } from '../components/save-file.ts';
import { useResource } from '../loading/resource.ts';
import { usage as messages } from '../messages/usage.ts';
import { useSession } from '../session/session.ts';
import { useQuery } from '../shell/address.ts';
import { BillingSection } from './billing-section.tsx';
import { csvOf, isUsed, KEYS, totalOf, type Keys } from './counts.ts';
import { PeriodPicker } from './period-picker.tsx';
import { periodOf, problemOf, type Period } from './period.ts';
import { UsageSums, UsageTable } from './usage-figures.tsx';
import { UsagePlot } from './usage-plot.tsx';

/** The account's usage and its cost. The period is kept in the URL. */
export function UsagePage() {
  const [query, setQuery] = useQuery();
  const period = periodOf(query);
  const keys = KEYS.find((one) => one === query['keys']) ?? 'all';
  const problem = problemOf(period);
  return (
    <Page title={messages.title} lead={messages.lead}>
      <PeriodPicker period={period} keys={keys} onChange={setQuery} />
      {problem ? (
        <Notice kind="warning">{messages.problems[problem]}</Notice>
      ) : (
        <UsageOfPeriod period={period} keys={keys} />
      )}
      <BillingSection
        month={billedMonth(query['bill']) ?? period.to.slice(0, 7)}
        onMonth={(month) => setQuery({ bill: month })}
      />
    </Page>
  );
}

function UsageOfPeriod({ period, keys }: { readonly period: Period; readonly keys: Keys }) {
  const { client } = useSession();
  const { from, to, granularity } = period;
  const usage = useResource(
    async (signal) => client.usage.get({ from, to, granularity }, { signal }),
    [from, to, granularity],
  );
  return (
    <Loaded resource={usage}>
      {(loaded) => (
        <>
          <UsageSums total={loaded.total} storage={loaded.storage} />
          <p class="small muted">
            {messages.asOf} {loaded.as_of === null ? messages.never : <Time at={loaded.as_of} />}
          </p>
          <section class="stack" aria-labelledby="documents">
            <div class="row spread">
              <h2 id="documents">{messages.documents}</h2>
              <Button icon="download" onClick={() => download(loaded)}>
                {messages.csv}
              </Button>
            </div>
            {totalOf(loaded.total, keys) === 0 ? (
              <Empty>{messages.empty}</Empty>
            ) : (
              <UsagePlot entries={loaded.data} total={loaded.total} keys={keys} />
            )}
            {loaded.data.some((entry) => isUsed(entry, keys)) && (
              <>
                <UsageTable entries={loaded.data} keys={keys} />
                <p class="small muted">{messages.onlyUsed}</p>
              </>
            )}
          </section>
        </>
      )}
    </Loaded>
  );
}

function billedMonth(given: string | undefined): string | undefined {
  return given !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined;
}

/** Saves the usage as a CSV file that the browser generates. */
function download({ from, to, data }: Usage): void {
  saveFile(new Blob([csvOf(data)], { type: 'text/csv' }), `usage-${from}-${to}.csv`);
}
