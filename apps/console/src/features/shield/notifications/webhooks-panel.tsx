import { Trans, useLingui } from "@lingui/react/macro";
import { webhooksMax, type Webhook } from "@palisade/contract/http/webhooks";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Table } from "#src/ui/table.tsx";
import { useMayChange } from "../may-change.ts";
import { AddWebhookDialog } from "./add-webhook-dialog.tsx";
import { DeliveriesDrawer } from "./deliveries-drawer.tsx";
import { EditWebhookDialog } from "./edit-webhook-dialog.tsx";
import classes from "./notifications.module.css";
import { webhooksQuery } from "./notifications.queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { useWebhooks } from "./use-webhooks.ts";
import { WebhookRow } from "./webhook-row.tsx";

type Opened =
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "deliveries" | "remove"; readonly webhook: Webhook }
  | { readonly kind: "secret"; readonly secret: string };

export function WebhooksPanel({ shieldId }: { shieldId: string }) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const query = useQuery({ ...webhooksQuery(shieldId), refetchInterval: 30_000 });
  const { add, update, rotate, remove, test } = useWebhooks(shieldId);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const shown = opened !== null && "webhook" in opened ? opened.webhook : null;
  const current = query.data?.find(({ id }) => id === shown?.id) ?? shown;
  const isFull = (query.data?.length ?? 0) >= webhooksMax;

  return (
    <Panel
      prominent
      title={<Trans>Webhooks</Trans>}
      note={
        <Trans>
          Sends each event to an address of yours, or as a message to Discord, Slack or Telegram.
        </Trans>
      }
      aside={
        mayChange ? (
          <ActionButton
            leftSection={<IconPlus size={15} stroke={1.6} />}
            disabled={!query.data || isFull}
            onClick={() => setOpened({ kind: "add" })}
          >
            <Trans>Add webhook</Trans>
          </ActionButton>
        ) : null
      }
    >
      <QueryBoundary query={query} compact errorTitle={t`Failed to fetch webhooks`}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState
              compact
              icon={<IconWebhook size={22} stroke={1.6} />}
              title={t`No webhooks found`}
              text={
                mayChange ? (
                  <Trans>Add one to be told of an attack where your team already is.</Trans>
                ) : null
              }
            />
          ) : (
            <div className={classes["webhooks"]}>
              <Table
                label={t`Webhooks`}
                columns={[
                  { key: "entry", name: t`Entry` },
                  { key: "created", name: t`Created at` },
                  { key: "actions", name: t`Actions`, right: true },
                ]}
              >
                {webhooks.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    isTesting={test.isPending && test.variables.id === webhook.id}
                    isRemoving={remove.isPending && remove.variables.id === webhook.id}
                    onTest={() =>
                      test.mutate(webhook, {
                        onSuccess: () => setOpened({ kind: "deliveries", webhook }),
                      })
                    }
                    onDeliveries={() => setOpened({ kind: "deliveries", webhook })}
                    onEdit={() => setOpened({ kind: "edit", webhook })}
                    onRemove={() => setOpened({ kind: "remove", webhook })}
                  />
                ))}
              </Table>
            </div>
          )
        }
      </QueryBoundary>
      {opened?.kind === "add" ? (
        <AddWebhookDialog
          add={add}
          onClose={close}
          onAdded={(secret) => setOpened(secret === null ? null : { kind: "secret", secret })}
        />
      ) : null}
      {opened?.kind === "secret" ? <SecretDialog secret={opened.secret} onClose={close} /> : null}
      {opened?.kind === "edit" && current ? (
        <EditWebhookDialog
          webhook={current}
          update={update}
          isRotating={rotate.isPending}
          onRotate={() =>
            rotate.mutate(current, {
              onSuccess: ({ secret }) => secret !== null && setOpened({ kind: "secret", secret }),
            })
          }
          onClose={close}
        />
      ) : null}
      {opened?.kind === "deliveries" && current ? (
        <DeliveriesDrawer shieldId={shieldId} webhook={current} onClose={close} />
      ) : null}
      <ConfirmDialog
        opened={opened?.kind === "remove"}
        title={t`Delete this webhook?`}
        action={t`Delete`}
        onClose={close}
        onConfirm={() => {
          if (current) remove.mutate(current);
          close();
        }}
      >
        <Trans>
          Nothing more is sent to {current?.url}, and its list of deliveries is deleted too.
        </Trans>
      </ConfirmDialog>
    </Panel>
  );
}
