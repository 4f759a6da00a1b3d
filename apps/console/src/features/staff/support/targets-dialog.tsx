import { NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  changeSupportTargets,
  type SupportPlanTargets,
} from "@palisade/contract/http/staff-support";
import { ticketSeverities, type TicketSeverity } from "@palisade/contract/http/tickets";
import type { TargetHours } from "@palisade/contract/http/usual-answer";
import { Fragment } from "react";
import { call } from "#src/api/client.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { severityLabels } from "#src/ui/ticket-labels.ts";
import { wholeOrNull } from "../parts/euro-text.ts";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { targetTime } from "./support-times.ts";

type Values = Record<`${TicketSeverity}_minutes`, string> &
  Record<`${TicketSeverity}_hours`, TargetHours>;

function valuesOf({ targets }: SupportPlanTargets): Values {
  return {
    low_minutes: String(targets.low.minutes),
    low_hours: targets.low.hours,
    medium_minutes: String(targets.medium.minutes),
    medium_hours: targets.medium.hours,
    high_minutes: String(targets.high.minutes),
    high_hours: targets.high.hours,
    critical_minutes: String(targets.critical.minutes),
    critical_hours: targets.critical.hours,
  };
}

function targetOf(values: Values, severity: TicketSeverity) {
  return {
    minutes: wholeOrNull(values[`${severity}_minutes`]) ?? Number.NaN,
    hours: values[`${severity}_hours`],
  };
}

interface TargetsDialogProps {
  readonly plan: SupportPlanTargets;
  readonly onClose: () => void;
}

export function TargetsDialog({ plan, onClose }: TargetsDialogProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const name = (locale === "ru" ? plan.name.ru : null) ?? plan.name.en;
  return (
    <StaffFormDialog
      wide
      title={t`First answers: ${name}`}
      action={t`Save`}
      schema={changeSupportTargets.body}
      initial={valuesOf(plan)}
      toBody={({ reason, ...values }) => ({
        low: targetOf(values, "low"),
        medium: targetOf(values, "medium"),
        high: targetOf(values, "high"),
        critical: targetOf(values, "critical"),
        reason,
      })}
      run={async (body) =>
        (await call(changeSupportTargets, { params: { plan: plan.slug }, body })).data.message
      }
      onClose={onClose}
    >
      {(field, values) => (
        <>
          <p className={parts["sub"]}>
            <Trans>
              Customers read it before they open a ticket. Tickets that wait already keep their time
              until something is written or changed in them.
            </Trans>
          </p>
          <div className={parts["two"]}>
            {ticketSeverities.map((severity) => {
              const label = i18n._(severityLabels[severity]);
              const target = targetOf(values, severity);
              return (
                <Fragment key={severity}>
                  <TextInput
                    label={t`${label}: minutes`}
                    description={
                      Number.isInteger(target.minutes) && target.minutes > 0
                        ? targetTime(locale, target)
                        : "–"
                    }
                    inputMode="numeric"
                    autoComplete="off"
                    maxLength={5}
                    {...field(`${severity}_minutes`)}
                  />
                  <NativeSelect
                    label={t`${label}: when they count`}
                    description={
                      target.hours === "always"
                        ? t`Nights and weekends count`
                        : t`Only while support works`
                    }
                    data={[
                      { value: "business", label: t`In the hours of support` },
                      { value: "always", label: t`Day and night` },
                    ]}
                    {...field(`${severity}_hours`)}
                  />
                </Fragment>
              );
            })}
          </div>
        </>
      )}
    </StaffFormDialog>
  );
}
