import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  notificationEvents,
  type NotificationEvent,
} from "@palisade/contract/http/notification-events";
import {
  addWebhookBody,
  webhookFormats,
  type WebhookFormat,
} from "@palisade/contract/http/webhooks";
import { useEffect, useId, useRef } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { FieldError } from "#src/ui/field-error.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { EventChoices } from "./event-choices.tsx";
import { formatLabels, urlPlaceholders } from "./event-labels.ts";
import classes from "./notifications.module.css";
import type { useWebhooks } from "./use-webhooks.ts";

interface AddWebhookDialogProps {
  readonly add: ReturnType<typeof useWebhooks>["add"];
  readonly onClose: () => void;
  /** With the secret, which a chat has not. */
  readonly onAdded: (secret: string | null) => void;
}

export function AddWebhookDialog({ add, onClose, onAdded }: AddWebhookDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const first: { url: string; format: WebhookFormat; events: NotificationEvent[] } = {
    url: "",
    format: "json",
    events: [...notificationEvents],
  };
  const { form, field, submit, placeIssues } = useContractForm(addWebhookBody, first);
  const { format } = form.values;
  const hints: Record<WebhookFormat, string> = {
    json: t`Gets a signed POST with JSON, by the standard of standardwebhooks.com.`,
    discord: t`In Discord: channel settings, Integrations, Webhooks, Copy webhook URL.`,
    slack: t`In Slack: an app with incoming webhooks gives the URL of a channel.`,
    telegram: t`The token of your bot and the id of the chat, in the form shown in the field.`,
  };
  const eventsError = field("events").error;

  return (
    <Dialog
      opened
      wide
      title={t`Add webhook`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={add.isPending}>
            <Trans>Add webhook</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={classes["dialog"]}
        onSubmit={submit((body) => {
          if (add.isPending) return;
          add.mutate(body, {
            onSuccess: ({ secret }) => onAdded(secret),
            onError: (error) => {
              const text = errorText(error, t`Failed to add the webhook`);
              if (!placeIssues(fieldIssues(error))) toast("error", text);
            },
          });
        })}
      >
        <fieldset className={classes["formats"]}>
          <legend>
            <Trans>Format</Trans>
          </legend>
          {webhookFormats.map((each) => (
            <ChoiceCard
              key={each}
              name="format"
              value={each}
              checked={each === format}
              onChoose={() => form.setFieldValue("format", each)}
            >
              {formatLabels[each]}
            </ChoiceCard>
          ))}
        </fieldset>
        <TextInput
          {...field("url")}
          ref={input}
          label="URL"
          description={hints[format]}
          placeholder={urlPlaceholders[format]}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: "mono" }}
        />
        <EventChoices
          chosen={form.values.events}
          onChange={(events) => form.setFieldValue("events", events)}
        />
        {eventsError === undefined ? null : (
          <p className={classes["error"]}>
            <FieldError text={eventsError} />
          </p>
        )}
      </form>
    </Dialog>
  );
}
