import { Button } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { Webhook } from "@palisade/contract/http/webhooks";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import { formatLabels } from "./event-labels.ts";
import classes from "./notifications.module.css";

interface WebhookRowProps {
  readonly webhook: Webhook;
  readonly isTesting: boolean;
  readonly isRemoving: boolean;
  readonly onTest: () => void;
  readonly onDeliveries: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

export function WebhookRow(props: WebhookRowProps) {
  const { webhook, isTesting, isRemoving, onTest, onDeliveries, onEdit, onRemove } = props;
  const { t } = useLingui();
  const mayChange = useMayChange();
  const { url } = webhook;
  return (
    <tr>
      <td>
        <p className={classes["entry"]}>
          <strong>{formatLabels[webhook.format]}</strong> <span className="mono">{url}</span>
        </p>
        <p className={classes["state"]}>
          <WebhookState webhook={webhook} />
          <span className="dim">
            <Plural value={webhook.events.length} one="# event" other="# events" />
          </span>
        </p>
      </td>
      <td className="dim">
        <RelativeTime at={webhook.created_at} />
      </td>
      <td data-right>
        <div className={classes["actions"]}>
          <Button size="compact-sm" variant="default" onClick={onDeliveries}>
            <Trans>Deliveries</Trans>
          </Button>
          {mayChange ? (
            <>
              <Button size="compact-sm" variant="default" loading={isTesting} onClick={onTest}>
                <Trans>Test</Trans>
              </Button>
              <Button size="compact-sm" variant="default" onClick={onEdit}>
                <Trans>Edit</Trans>
              </Button>
              <RemoveButton
                size={26}
                label={t`Delete ${url}`}
                loading={isRemoving}
                onClick={onRemove}
              />
            </>
          ) : null}
        </div>
      </td>
    </tr>
  );
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { enabled, disabled_reason: reason, failing_since: since } = webhook;
  if (!enabled) {
    return (
      <Status tone={reason === "owner" ? "idle" : "danger"}>
        {reason === "owner" ? (
          <Trans>Switched off</Trans>
        ) : reason === "gone" ? (
          <Trans>Switched off: its receiver is gone</Trans>
        ) : (
          <Trans>Switched off after three days of failures</Trans>
        )}
      </Status>
    );
  }
  if (since !== null) {
    return (
      <Status tone="attack">
        <Trans>
          Failing, first <RelativeTime at={since} />
        </Trans>
      </Status>
    );
  }
  return (
    <Status tone="protected">
      <Trans>On</Trans>
    </Status>
  );
}
