import { Checkbox } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { mailEvents, type MailEvent } from "@palisade/contract/http/notification-events";
import { eventLabels } from "./event-labels.ts";
import classes from "./notifications.module.css";

interface MailEventsProps {
  readonly chosen: readonly MailEvent[];
  readonly disabled: boolean;
  readonly onChange: (events: MailEvent[]) => void;
}

export function MailEvents({ chosen, disabled, onChange }: MailEventsProps) {
  const { i18n } = useLingui();
  return (
    <fieldset className={classes["choices"]}>
      <legend>
        <Trans>Mail me about</Trans>
      </legend>
      {mailEvents.map((event) => (
        <Checkbox
          key={event}
          label={i18n._(eventLabels[event])}
          checked={chosen.includes(event)}
          disabled={disabled}
          onChange={({ currentTarget }) =>
            onChange(
              mailEvents.filter((each) =>
                each === event ? currentTarget.checked : chosen.includes(each),
              ),
            )
          }
        />
      ))}
      <p className="dim">
        <Trans>
          Mails about domains, traffic, payments and sub-users are always sent: they concern the
          service itself.
        </Trans>
      </p>
    </fieldset>
  );
}
