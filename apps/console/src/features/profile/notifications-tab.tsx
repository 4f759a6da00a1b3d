import { Switch } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { Profile } from "@palisade/contract/http/account";
import { Panel } from "#src/ui/panel.tsx";
import { DiscordWebhook } from "./discord-webhook.tsx";
import classes from "./profile.module.css";
import { useNotifications } from "./use-notifications.ts";

export function NotificationsTab({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const { save } = useNotifications();
  return (
    <>
      <Panel prominent title={t`Email`}>
        <Switch
          label={t`Email notifications`}
          description={t`Reminders, such as an API key that is about to expire. Codes and security warnings are always sent.`}
          labelPosition="left"
          withThumbIndicator={false}
          checked={profile.email_notifications}
          // Not `disabled`: the switch would lose the keyboard focus.
          aria-disabled={save.isPending}
          onChange={({ currentTarget }) => {
            if (!save.isPending) save.mutate({ email_notifications: currentTarget.checked });
          }}
          classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
        />
      </Panel>
      <DiscordWebhook profile={profile} />
    </>
  );
}
