import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  changeSupportHours,
  changeSupportTargets,
  readSupportTargets,
  type SupportHoursOfWeek,
  type SupportPlanTargets,
} from "@palisade/contract/http/staff-support";
import { ticketSeverities } from "@palisade/contract/http/tickets";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status } from "#src/ui/status.tsx";
import { severityLabels } from "#src/ui/ticket-labels.ts";
import parts from "../parts/parts.module.css";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { HoursDialog } from "./hours-dialog.tsx";
import { daysText, targetTime } from "./support-times.ts";
import { TargetsDialog } from "./targets-dialog.tsx";

const targetsQuery = queryOptions({
  queryKey: ["staff", "support-targets"],
  queryFn: async ({ signal }) => (await call(readSupportTargets, { signal })).data,
});

/** How soon tickets should be answered, and when support works. */
export function SupportPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Support`} · Palisade`);
  const query = useQuery(targetsQuery);
  const [opened, setOpened] = useState<"hours" | SupportPlanTargets | null>(null);
  const columns = useColumns(setOpened);
  const close = () => setOpened(null);
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Support</Trans>} />
      <QueryBoundary query={query} errorTitle={t`The targets could not be loaded`}>
        {({ hours, plans }) => (
          <>
            <Panel
              title={<Trans>First answers</Trans>}
              prominent
              note={
                <Trans>
                  Staff should answer within this time, by support plan and severity. Later tickets
                  are overdue.
                </Trans>
              }
            >
              <StaffRows
                label={t`First answers`}
                columns={columns}
                rows={plans}
                keyOf={({ slug }) => slug}
              />
            </Panel>
            <HoursPanel hours={hours} onEdit={() => setOpened("hours")} />
            {opened === "hours" ? <HoursDialog hours={hours} onClose={close} /> : null}
          </>
        )}
      </QueryBoundary>
      {opened === null || opened === "hours" ? null : (
        <TargetsDialog plan={opened} onClose={close} />
      )}
    </div>
  );
}

interface HoursPanelProps {
  readonly hours: SupportHoursOfWeek;
  readonly onEdit: () => void;
}

function HoursPanel({ hours, onEdit }: HoursPanelProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  return (
    <Panel
      title={<Trans>Hours of support</Trans>}
      prominent
      note={<Trans>Targets that count in the hours of support stand still outside of them.</Trans>}
      aside={
        may(changeSupportHours) ? (
          <Button
            size="xs"
            variant="default"
            aria-label={t`Edit the hours of support`}
            onClick={onEdit}
          >
            <Trans>Edit</Trans>
          </Button>
        ) : undefined
      }
    >
      <dl className={parts["facts"]}>
        <dt>
          <Trans>Days</Trans>
        </dt>
        <dd>{daysText(locale, hours.days)}</dd>
        <dt>
          <Trans>Opening times</Trans>
        </dt>
        <dd>
          {hours.opens_at}–{hours.closes_at}
        </dd>
        <dt>
          <Trans>Time zone</Trans>
        </dt>
        <dd>{hours.time_zone.replaceAll("_", " ")}</dd>
      </dl>
    </Panel>
  );
}

function useColumns(
  onEdit: (plan: SupportPlanTargets) => void,
): readonly StaffColumn<SupportPlanTargets>[] {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  const nameOf = ({ name }: SupportPlanTargets) => (locale === "ru" ? name.ru : null) ?? name.en;
  return [
    {
      key: "plan",
      name: t`Support plan`,
      bare: true,
      renderCell: (plan) => (
        <>
          <span className={parts["main"]}>{nameOf(plan)}</span>
          <span className={parts["sub"]}>
            <Holders plan={plan} />
          </span>
          {plan.is_retired ? (
            <Status tone="idle">
              <Trans>Off sale</Trans>
            </Status>
          ) : null}
        </>
      ),
    },
    ...ticketSeverities.map((severity): StaffColumn<SupportPlanTargets> => ({
      key: severity,
      name: i18n._(severityLabels[severity]),
      renderCell: ({ targets }) => (
        <>
          {targetTime(locale, targets[severity])}
          <span className={parts["sub"]}>
            {targets[severity].hours === "always" ? (
              <Trans>day and night</Trans>
            ) : (
              <Trans>in the hours of support</Trans>
            )}
          </span>
        </>
      ),
    })),
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (plan) => {
        const name = nameOf(plan);
        return may(changeSupportTargets) ? (
          <span className={parts["buttons"]}>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Edit ${name}`}
              onClick={() => onEdit(plan)}
            >
              <Trans>Edit</Trans>
            </Button>
          </span>
        ) : null;
      },
    },
  ];
}

function Holders({ plan }: { plan: SupportPlanTargets }) {
  const { locale } = useLocale();
  if (plan.holders === null) return <Trans>everyone without another plan</Trans>;
  const accounts = wholeNumber(locale, plan.holders);
  return <Trans>accounts: {accounts}</Trans>;
}
