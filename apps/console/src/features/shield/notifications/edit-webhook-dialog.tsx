import { Button, Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Webhook } from "@palisade/contract/http/webhooks";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { EventChoices } from "./event-choices.tsx";
import { formatLabels } from "./event-labels.ts";
import classes from "./notifications.module.css";
import type { useWebhooks } from "./use-webhooks.ts";

interface EditWebhookDialogProps {
  readonly webhook: Webhook;
  readonly update: ReturnType<typeof useWebhooks>["update"];
  readonly isRotating: boolean;
  readonly onRotate: () => void;
  readonly onClose: () => void;
}

export function EditWebhookDialog(props: EditWebhookDialogProps) {
  const { webhook, update, isRotating, onRotate, onClose } = props;
  const { t } = useLingui();
  const [events, setEvents] = useState(webhook.events);
  const [enabled, setEnabled] = useState(webhook.enabled);
  const until = webhook.former_secret_until;
  return (
    <Dialog
      opened
      wide
      title={t`Edit webhook`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            disabled={events.length === 0}
            loading={update.isPending}
            onClick={() => update.mutate({ webhook, events, enabled }, { onSuccess: onClose })}
          >
            <Trans>Save</Trans>
          </ActionButton>
        </>
      }
    >
      <div className={classes["dialog"]}>
        <p className={classes["entry"]}>
          <strong>{formatLabels[webhook.format]}</strong>{" "}
          <span className="mono">{webhook.url}</span>
        </p>
        <Switch
          label={t`Webhook is on`}
          description={t`When off, it gets no messages, and what still waits is not sent.`}
          labelPosition="left"
          withThumbIndicator={false}
          checked={enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
          classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
        />
        <EventChoices chosen={events} onChange={setEvents} />
        {webhook.format === "json" ? (
          <div className={classes["rotate"]}>
            <p>
              <Trans>Signing secret</Trans>
              <span className="dim">
                {until === null ? (
                  <Trans>For 24 hours the old secret signs too, beside the new one.</Trans>
                ) : (
                  <Trans>
                    Two secrets sign. The old one ends <RelativeTime at={until} />.
                  </Trans>
                )}
              </span>
            </p>
            <Button size="compact-sm" variant="default" loading={isRotating} onClick={onRotate}>
              <Trans>New secret</Trans>
            </Button>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
