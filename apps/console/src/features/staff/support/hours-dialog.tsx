import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { changeSupportHours, type SupportHoursOfWeek } from "@palisade/contract/http/staff-support";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { useLocale } from "#src/lib/preferences.ts";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { weekdays } from "./support-times.ts";
import classes from "./support.module.css";

interface HoursDialogProps {
  readonly hours: SupportHoursOfWeek;
  readonly onClose: () => void;
}

/** A time field cannot hold 24:00: midnight is the end of the day there. */
const endOfDay = "24:00";
const midnight = "00:00";

export function HoursDialog({ hours, onClose }: HoursDialogProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const [zones] = useState(() =>
    [...new Set([hours.time_zone, "UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted(),
  );
  return (
    <StaffFormDialog
      title={t`Hours of support`}
      action={t`Save`}
      schema={changeSupportHours.body}
      initial={{
        days: hours.days.map(String),
        opens_at: hours.opens_at,
        closes_at: hours.closes_at === endOfDay ? midnight : hours.closes_at,
        time_zone: hours.time_zone,
      }}
      toBody={({ days, closes_at: closesAt, ...values }) => ({
        ...values,
        days: days.map(Number).toSorted((a, b) => a - b),
        closes_at: closesAt === midnight ? endOfDay : closesAt,
      })}
      run={async (body) => (await call(changeSupportHours, { body })).data.message}
      onClose={onClose}
    >
      {(field) => (
        <>
          <p className={parts["sub"]}>
            <Trans>
              Tickets that wait already keep their time until something is written or changed in
              them.
            </Trans>
          </p>
          <Checkbox.Group label={t`Days`} {...field("days")}>
            <div className={classes["days"]}>
              {weekdays(locale, "long").map((name, index) => (
                <Checkbox key={name} value={String(index + 1)} label={name} />
              ))}
            </div>
          </Checkbox.Group>
          <div className={parts["two"]}>
            <TextInput type="time" label={t`Opens`} {...field("opens_at")} />
            <TextInput
              type="time"
              label={t`Closes`}
              description={t`00:00 is the end of the day`}
              inputWrapperOrder={["label", "input", "error", "description"]}
              {...field("closes_at")}
            />
          </div>
          <NativeSelect
            label={t`Time zone`}
            data={zones.map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
            {...field("time_zone")}
          />
        </>
      )}
    </StaffFormDialog>
  );
}
