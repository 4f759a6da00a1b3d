import { Switch, Textarea } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  attackMessageMax,
  notificationSettings,
  type NotificationSettings,
} from "@palisade/contract/http/notifications";
import type { Server } from "@palisade/contract/http/servers";
import { useRef } from "react";
import { Panel } from "#src/ui/panel.tsx";
import { UnsavedGuard } from "#src/ui/unsaved-guard.tsx";
import { useMayChange } from "../may-change.ts";
import { SharedFormFooter } from "../shared-form/shared-form-footer.tsx";
import { useSharedForm } from "../shared-form/use-shared-form.ts";
import type { Versioned } from "../shield.queries.ts";
import { ConflictingNotifications } from "./conflicting-notifications.tsx";
import { MailEvents } from "./mail-events.tsx";
import { MailTimes } from "./mail-times.tsx";
import classes from "./notifications.module.css";
import { notificationsQuery, saveNotifications } from "./notifications.queries.ts";

interface SettingsFormProps {
  readonly shield: Server;
  readonly fallback: Versioned<NotificationSettings>;
}

export function SettingsForm({ shield, fallback }: SettingsFormProps) {
  const { t } = useLingui();
  const place = useRef<HTMLFormElement>(null);
  const readOnly = !useMayChange();
  const use = useSharedForm({
    query: notificationsQuery(shield.id),
    fallback,
    readOnly,
    place,
    schema: notificationSettings,
    typedOf: (stored: NotificationSettings) => stored,
    save: (changed, etag) => saveNotifications(shield.id, changed, etag),
    texts: { saved: t`Notifications updated`, failed: t`Failed to update notifications` },
    onChange: () => undefined,
    nameOf: (path) => path.split(".")[0] ?? path,
  });
  const { form, field, theirs } = use;
  const { email_notifications: mails } = form.values;
  const placeholders = "{server}, {peak}, {refused}, {duration}";
  const switchProps = {
    labelPosition: "left",
    withThumbIndicator: false,
    disabled: readOnly,
    classNames: { body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" },
  } as const;

  return (
    <form noValidate ref={place} onSubmit={use.onSubmit}>
      <UnsavedGuard dirty={use.isDirty} />
      <Panel prominent title={<Trans>Notifications</Trans>}>
        <div className={classes["columns"]}>
          <div className={classes["fields"]}>
            <Switch
              {...switchProps}
              label={t`Email notifications`}
              description={t`The owner gets a mail about the events chosen on this page.`}
              checked={mails}
              onChange={({ currentTarget }) =>
                form.setFieldValue("email_notifications", currentTarget.checked)
              }
            />
            <Switch
              {...switchProps}
              label={t`Webhook notifications`}
              description={t`When off, no webhook of this shield gets a message.`}
              checked={form.values.webhook_notifications}
              onChange={({ currentTarget }) =>
                form.setFieldValue("webhook_notifications", currentTarget.checked)
              }
            />
            <Textarea
              {...field("attack_started_msg")}
              label={t`Attack started message`}
              description={t`Your own text, in mails and webhooks. Empty: our text. It can hold ${placeholders}.`}
              placeholder={t`More players log in than your threshold allows.`}
              rows={2}
              maxLength={attackMessageMax}
              disabled={readOnly}
            />
            <Textarea
              {...field("attack_stopped_msg")}
              label={t`Attack stopped message`}
              placeholder={t`The number of logins is back to normal.`}
              rows={2}
              maxLength={attackMessageMax}
              disabled={readOnly}
            />
          </div>
          <div className={classes["fields"]}>
            <MailEvents
              chosen={form.values.mail_events}
              disabled={readOnly || !mails}
              onChange={(events) => form.setFieldValue("mail_events", events)}
            />
            <MailTimes
              settings={form.values}
              error={quietError(form.errors)}
              disabled={readOnly}
              mails={mails}
              onChange={(changes) => form.setValues(changes)}
            />
          </div>
        </div>
        <SharedFormFooter
          use={use}
          theirs={theirs ? <ConflictingNotifications theirs={theirs} /> : null}
          note={<Trans>Mails go to the owner of the shield.</Trans>}
        />
      </Panel>
    </form>
  );
}

/** The error of either time is shown at the second. */
function quietError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(errors).find(([path]) => path.startsWith("quiet_hours"));
  return typeof found?.[1] === "string" ? found[1] : undefined;
}
