import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { updateNotificationsBody, type Profile } from "@palisade/contract/http/account";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./profile.module.css";
import { useNotifications } from "./use-notifications.ts";

const webhookForm = updateNotificationsBody.pick({ discord_webhook_url: true });

/** The Discord channel that receives notices about the account. */
export function DiscordWebhook({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const { save } = useNotifications();
  const { form, field, submit } = useContractForm(webhookForm, { discord_webhook_url: "" });
  const { email_notifications: email, discord_webhook_url: stored } = profile;
  const send = (url: string | null) =>
    save.mutate(
      { email_notifications: email, discord_webhook_url: url },
      { onSuccess: () => form.setValues({ discord_webhook_url: "" }) },
    );

  return (
    <Panel
      prominent
      title={t`Discord`}
      note={t`Sends notices about your account to a Discord channel, through a webhook of that channel.`}
    >
      {stored === null ? null : (
        <div className={classes["line"]}>
          <div>
            <p className={classes["note"]}>
              <Trans>Notices go to</Trans>
            </p>
            <p className="mono">{stored}</p>
          </div>
          <ActionButton
            variant="default"
            className={classes["danger"] ?? ""}
            disabled={save.isPending}
            onClick={() => send(null)}
          >
            <Trans>Remove</Trans>
          </ActionButton>
        </div>
      )}
      <form
        className={stored === null ? classes["column"] : `${classes["column"]} ${classes["below"]}`}
        noValidate
        onSubmit={submit(({ discord_webhook_url: url }) => send(url))}
      >
        <TextInput
          {...field("discord_webhook_url")}
          label={stored === null ? t`Webhook URL` : t`Another webhook URL`}
          placeholder="https://discord.com/api/webhooks/…"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <div className={classes["actions"]}>
          <ActionButton
            type="submit"
            variant="default"
            disabled={form.values.discord_webhook_url === ""}
            loading={save.isPending}
          >
            <Trans>Save</Trans>
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}
