import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { checkLedger } from "@palisade/contract/http/staff-books";
import { readOperations, type Operations } from "@palisade/contract/http/staff-operations";
import { IconListDetails } from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { bandwidth, count, fullTime, perSecond, wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { StatCard } from "#src/ui/stat-card.tsx";
import { Status } from "#src/ui/status.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import parts from "../parts/parts.module.css";
import { StaffRows } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { Attention } from "./attention.tsx";
import classes from "./operations.module.css";

const refreshMs = 10_000;

const operationsQuery = queryOptions({
  queryKey: ["staff", "operations"],
  queryFn: async ({ signal }) => (await call(readOperations, { signal })).data.operations,
  refetchInterval: refreshMs,
});

/** The state of the installation now, and everything that staff have to look at. */
export function OperationsPage() {
  const { t } = useLingui();
  const query = useQuery(operationsQuery);
  useDocumentTitle(`${t`Operations`} · Palisade`);
  return (
    <div className={parts["page"]}>
      <PageHead
        title={<Trans>Operations</Trans>}
        aside={
          query.data === undefined ? null : (
            <span className={parts["sub"]}>
              <Trans>
                Updated <RelativeTime at={query.data.at} />
              </Trans>
            </span>
          )
        }
      />
      <QueryBoundary query={query} errorTitle={t`The state could not be loaded`}>
        {(state) => <State state={state} />}
      </QueryBoundary>
    </div>
  );
}

function State({ state }: { state: Operations }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { traffic, shields, edges, webhooks, mails, versions } = state;
  const online = wholeNumber(locale, edges.online);
  const isAttacked = traffic.attacks > 0;
  return (
    <>
      <div className={classes["stats"]}>
        <StatCard
          title={t`Players now`}
          value={count(locale, traffic.players)}
          note={<Trans>on {online} edges and DNS servers</Trans>}
        />
        <StatCard
          title={t`Logins`}
          value={perSecond(locale, traffic.connections_per_second)}
          note={<Trans>all shields together</Trans>}
        />
        <StatCard
          title={t`Bandwidth`}
          value={bandwidth(locale, traffic.bandwidth_bps)}
          note={<Trans>both ways</Trans>}
        />
        <StatCard
          title={t`Attacks running`}
          value={wholeNumber(locale, traffic.attacks)}
          note={
            <Status tone={isAttacked ? "attack" : "protected"}>
              {isAttacked ? <Trans>Under attack</Trans> : <Trans>Calm</Trans>}
            </Status>
          }
        />
      </div>
      <Attention state={state} />
      <div className={parts["columns"]}>
        <Panel title={<Trans>Edges</Trans>} prominent>
          <Facts
            facts={[
              [t`Online`, edges.online],
              [t`Offline`, edges.offline],
              [t`Drained`, edges.drained],
              [t`Invited`, edges.invited],
              [t`Behind the configuration`, edges.behind],
            ]}
          />
        </Panel>
        <Panel title={<Trans>Shields</Trans>} prominent>
          <Facts
            facts={[
              [t`Active`, shields.active],
              [t`Traffic used up`, shields.traffic_used_up],
              [t`Expired`, shields.expired],
              [t`Blocked`, shields.blocked],
            ]}
          />
        </Panel>
        <Panel title={<Trans>Deliveries</Trans>} prominent>
          <Facts
            facts={[
              [t`Mails waiting`, mails.waiting],
              [t`Mails given up, last hour`, mails.failed],
              [t`Webhook messages waiting`, webhooks.waiting],
              [t`Webhook messages tried again`, webhooks.retrying],
              [t`Webhook messages given up, 24 hours`, webhooks.failed],
              [t`Webhooks switched off`, webhooks.disabled],
            ]}
          />
        </Panel>
        <Panel title={<Trans>Versions</Trans>} prominent>
          <dl className={parts["facts"]}>
            <Fact name={t`API`} value={versions.api} />
            <Fact name="Node.js" value={versions.node} />
            <Fact name="PostgreSQL" value={versions.database} />
            <Fact name={t`Configuration`} value={wholeNumber(locale, versions.config)} />
            <Fact name={t`Schema of the configuration`} value={String(versions.config_schema)} />
          </dl>
        </Panel>
      </div>
      <LedgerPanel />
      <JobsPanel jobs={state.jobs} />
    </>
  );
}

function Facts({ facts }: { facts: readonly (readonly [string, number])[] }) {
  const { locale } = useLocale();
  return (
    <dl className={parts["facts"]}>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name} value={wholeNumber(locale, value)} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** The check reads every entry of the ledger, so it runs when staff ask for it. */
function LedgerPanel() {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  const check = useMutation({
    mutationFn: async () => (await call(checkLedger, {})).data,
    onError: (error) => toastError(error, t`The ledger could not be checked`),
  });
  if (!may(checkLedger)) return null;
  const { data } = check;
  const txns = wholeNumber(locale, data?.txns ?? 0);
  const breaks = wholeNumber(locale, data?.breaks_count ?? 0);
  const at = data === undefined ? "" : fullTime(locale, new Date(data.checked_at));
  return (
    <Panel
      title={<Trans>Ledger</Trans>}
      prominent
      note={
        <Trans>
          Checks that every entry adds up and fits payments, paid periods and the providers' lists.
        </Trans>
      }
      aside={
        <ActionButton variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          <Trans>Check now</Trans>
        </ActionButton>
      }
    >
      <div aria-live="polite">
        {data === undefined ? null : data.breaks_count === 0 ? (
          <Status tone="protected">
            <Trans>
              {txns} entries fit, checked {at}
            </Trans>
          </Status>
        ) : (
          <>
            <Status tone="danger">
              <Trans>{breaks} things do not fit</Trans>
            </Status>
            <ul className={classes["breaks"]}>
              {data.breaks.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Panel>
  );
}

function JobsPanel({ jobs }: { jobs: Operations["jobs"] }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  return (
    <Panel
      title={<Trans>Jobs</Trans>}
      prominent
      note={<Trans>Work that is waiting, running or was given up within the last hour.</Trans>}
    >
      {jobs.length === 0 ? (
        <EmptyState
          compact
          icon={<IconListDetails size={22} stroke={1.6} />}
          title={t`No data to display`}
          text={<Trans>No job is waiting or running.</Trans>}
        />
      ) : (
        <StaffRows
          label={t`Jobs`}
          rows={jobs}
          keyOf={({ name }) => name}
          columns={[
            {
              key: "name",
              name: t`Queue`,
              bare: true,
              renderCell: ({ name }) => <span className="mono">{name}</span>,
            },
            {
              key: "waiting",
              name: t`Waiting`,
              right: true,
              renderCell: (job) => wholeNumber(locale, job.waiting),
            },
            {
              key: "oldest",
              name: t`Oldest`,
              renderCell: (job) =>
                job.oldest_at === null ? "–" : <RelativeTime at={job.oldest_at} />,
            },
            {
              key: "active",
              name: t`Running`,
              right: true,
              renderCell: (job) => wholeNumber(locale, job.active),
            },
            {
              key: "failed",
              name: t`Given up`,
              right: true,
              renderCell: (job) =>
                job.failed === 0 ? (
                  "0"
                ) : (
                  <Status tone="danger">{wholeNumber(locale, job.failed)}</Status>
                ),
            },
          ]}
        />
      )}
    </Panel>
  );
}
