import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { webhookRoutes, type WebhookDelivery } from "@palisade/contract/http/webhooks";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { Status, type Tone } from "#src/ui/status.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { useMayChange } from "../may-change.ts";
import { eventLabels, failureLabels, stateLabels } from "./event-labels.ts";
import classes from "./notifications.module.css";
import { deliveriesQuery } from "./notifications.queries.ts";

const tones: Record<WebhookDelivery["state"], Tone> = {
  pending: "attack",
  delivered: "protected",
  failed: "danger",
  superseded: "idle",
};

interface DeliveryItemProps {
  readonly shieldId: string;
  readonly webhookId: string;
  readonly delivery: WebhookDelivery;
}

/** One message: what came of it, and on demand what was sent and answered. */
export function DeliveryItem({ shieldId, webhookId, delivery }: DeliveryItemProps) {
  const { t, i18n } = useLingui();
  const mayChange = useMayChange();
  const redeliver = useMutation({
    mutationFn: async () => {
      const params = { id: shieldId, webhookId, deliveryId: delivery.id };
      return (await call(webhookRoutes.redeliverWebhook, { params })).data;
    },
    onSuccess: ({ message }) => {
      toast("success", message);
      return queryClient.invalidateQueries({
        queryKey: deliveriesQuery(shieldId, webhookId).queryKey,
      });
    },
    onError: (error) => toast("error", errorText(error, t`Failed to send the message again`)),
  });
  const { state, status, error, latency_ms: latency, attempts, next_attempt_at: next } = delivery;
  const outcome =
    error !== null ? i18n._(failureLabels[error]) : status === null ? null : `HTTP ${status}`;
  return (
    <li>
      <div className={classes["delivery"]}>
        <p>
          <strong>{i18n._(eventLabels[delivery.type])}</strong>
          <span className="dim">
            <RelativeTime at={delivery.created_at} />
          </span>
        </p>
        <Status tone={tones[state]}>{i18n._(stateLabels[state])}</Status>
      </div>
      <p className={`dim ${classes["outcome"]}`}>
        {outcome === null ? null : <span>{outcome}</span>}
        {latency === null ? null : <span>{t`${latency} ms`}</span>}
        {attempts > 1 ? <span>{t`Try ${attempts}`}</span> : null}
        {next === null || attempts === 0 ? null : (
          <span>
            <Trans>
              Next try <RelativeTime at={next} />
            </Trans>
          </span>
        )}
      </p>
      {delivery.request === null ? (
        <p className={`dim ${classes["details"]}`}>
          <Trans>Your role does not allow you to see this message.</Trans>
        </p>
      ) : (
        <details className={classes["details"]}>
          <summary>
            <Trans>Request and answer</Trans>
          </summary>
          <p className="dim">
            <Trans>Id</Trans> <span className="mono">{delivery.id}</span>
          </p>
          <p className="dim">
            <Trans>Request</Trans>
          </p>
          <pre>{indented(delivery.request)}</pre>
          <p className="dim">
            <Trans>Answer</Trans>
          </p>
          <pre>{delivery.answer === "" ? t`(empty)` : delivery.answer}</pre>
        </details>
      )}
      {mayChange && state !== "pending" ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
        >
          <Trans>Send again</Trans>
        </Button>
      ) : null}
    </li>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
