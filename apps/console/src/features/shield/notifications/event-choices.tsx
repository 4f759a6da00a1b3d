import { Checkbox } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  notificationEvents,
  type NotificationEvent,
} from "@palisade/contract/http/notification-events";
import { eventLabels } from "./event-labels.ts";
import classes from "./notifications.module.css";

interface EventChoicesProps {
  readonly chosen: readonly NotificationEvent[];
  readonly onChange: (events: NotificationEvent[]) => void;
}

/** The events that a webhook gets. */
export function EventChoices({ chosen, onChange }: EventChoicesProps) {
  const { i18n } = useLingui();
  return (
    <fieldset className={classes["choices"]} data-two>
      <legend>
        <Trans>Events</Trans>
      </legend>
      {notificationEvents.map((event) => (
        <Checkbox
          key={event}
          label={i18n._(eventLabels[event])}
          checked={chosen.includes(event)}
          onChange={({ currentTarget }) =>
            onChange(
              notificationEvents.filter((each) =>
                each === event ? currentTarget.checked : chosen.includes(each),
              ),
            )
          }
        />
      ))}
    </fieldset>
  );
}
