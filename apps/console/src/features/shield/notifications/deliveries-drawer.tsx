import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Webhook } from "@palisade/contract/http/webhooks";
import { IconSend } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Dialog } from "#src/ui/dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { DeliveryItem } from "./delivery-item.tsx";
import { formatLabels } from "./event-labels.ts";
import classes from "./notifications.module.css";
import { deliveriesQuery } from "./notifications.queries.ts";

interface DeliveriesDrawerProps {
  readonly shieldId: string;
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function DeliveriesDrawer({ shieldId, webhook, onClose }: DeliveriesDrawerProps) {
  const { t } = useLingui();
  const query = useInfiniteQuery(deliveriesQuery(shieldId, webhook.id));
  return (
    <Dialog
      opened
      drawer
      title={t`Deliveries`}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <p className={classes["entry"]}>
        <strong>{formatLabels[webhook.format]}</strong> <span className="mono">{webhook.url}</span>
      </p>
      <QueryBoundary query={query} compact errorTitle={t`Failed to fetch deliveries`}>
        {({ pages }) => {
          const deliveries = pages.flatMap(({ data }) => data);
          if (deliveries.length === 0) {
            return (
              <EmptyState
                compact
                icon={<IconSend size={22} stroke={1.6} />}
                title={t`Nothing was sent yet`}
                text={<Trans>A test message shows at once whether your receiver takes it.</Trans>}
              />
            );
          }
          return (
            <>
              <ul className={classes["deliveries"]}>
                {deliveries.map((delivery) => (
                  <DeliveryItem
                    key={delivery.id}
                    shieldId={shieldId}
                    webhookId={webhook.id}
                    delivery={delivery}
                  />
                ))}
              </ul>
              {query.hasNextPage ? (
                <Button
                  variant="default"
                  fullWidth
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  <Trans>Show earlier ones</Trans>
                </Button>
              ) : null}
            </>
          );
        }}
      </QueryBoundary>
    </Dialog>
  );
}
