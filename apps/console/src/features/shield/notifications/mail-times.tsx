import { Button, NativeSelect, Switch, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Digest, NotificationSettings } from "@palisade/contract/http/notifications";
import { isTextKey, renderText } from "@palisade/contract/texts/render";
import { useLocale } from "#src/lib/preferences.ts";
import { FieldError } from "#src/ui/field-error.tsx";
import classes from "./notifications.module.css";

type Times = Pick<NotificationSettings, "digest" | "quiet_hours" | "time_zone">;

interface MailTimesProps {
  readonly settings: Times;
  /** A text, or the key of one. */
  readonly error: string | undefined;
  readonly disabled: boolean;
  /** Mails are on. */
  readonly mails: boolean;
  readonly onChange: (changes: Partial<Times>) => void;
}

const usualHours = { from: "23:00", until: "07:00" };

export function MailTimes({ settings, error, disabled, mails, onChange }: MailTimesProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { digest, quiet_hours: hours, time_zone: zone } = settings;
  const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const problem = typeof error === "string" && isTextKey(error) ? renderText(locale, error) : error;
  const digestLabels: Record<Digest, string> = {
    off: t`At once, each event in a mail of its own`,
    hourly: t`Every hour, in one mail`,
    daily: t`Every day at 9:00, in one mail`,
  };
  return (
    <>
      <NativeSelect
        label={t`When mails are sent`}
        value={digest}
        disabled={disabled || !mails}
        data={Object.entries(digestLabels).map(([value, label]) => ({ value, label }))}
        // The options are the digests.
        onChange={({ currentTarget }) => onChange({ digest: currentTarget.value as Digest })}
      />
      <Switch
        label={t`Quiet hours`}
        description={t`Mails wait until they end. Discord and Telegram show messages without a sound; other webhooks are sent as usual.`}
        labelPosition="left"
        withThumbIndicator={false}
        disabled={disabled}
        checked={hours !== null}
        classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
        onChange={({ currentTarget }) =>
          onChange(
            currentTarget.checked
              ? { quiet_hours: usualHours, ...(zone === "UTC" ? { time_zone: ownZone } : {}) }
              : { quiet_hours: null },
          )
        }
      />
      {hours === null ? null : (
        <div className={classes["hours"]}>
          <TextInput
            type="time"
            label={t`From`}
            value={hours.from}
            disabled={disabled}
            onChange={({ currentTarget }) =>
              onChange({ quiet_hours: { ...hours, from: currentTarget.value } })
            }
          />
          <TextInput
            type="time"
            name="quiet_hours"
            label={t`Until`}
            value={hours.until}
            disabled={disabled}
            error={problem === undefined ? undefined : <FieldError text={problem} />}
            onChange={({ currentTarget }) =>
              onChange({ quiet_hours: { ...hours, until: currentTarget.value } })
            }
          />
        </div>
      )}
      {hours === null && digest !== "daily" ? null : (
        <p className={`dim ${classes["zone"]}`}>
          <Trans>Times are in the time zone {zone.replaceAll("_", " ")}.</Trans>{" "}
          {zone === ownZone || disabled ? null : (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onChange({ time_zone: ownZone })}
            >
              <Trans>Use the time zone of this device</Trans>
            </Button>
          )}
        </p>
      )}
    </>
  );
}
