import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { deleteApiKey, type AccountApiKey } from "@palisade/contract/http/account";
import { IconKey, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toastError } from "#src/features/profile/toast-error.ts";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { apiKeysQuery } from "../profile.queries.ts";
import { ApiKeyRow } from "./api-key-row.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { QueryBoundary } from "./query-boundary.tsx";
import classes from "./security.module.css";

/** Keys for single programs: named, limited, and ended one by one. */
export function ApiKeysPanel() {
  const { t } = useLingui();
  const [creating, setCreating] = useState(false);
  const [doomed, setDoomed] = useState<AccountApiKey | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: AccountApiKey) => call(deleteApiKey, { params: { id } }),
    onSuccess: ({ data }) => toast("success", data.message),
    onError: (error) => toastError(error, t`Failed to delete API key`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
  const doomedName = doomed?.name ?? "";
  return (
    <Panel
      prominent
      title={t`Further API keys`}
      note={t`One for each program, with only the rights it needs.`}
      aside={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => setCreating(true)}
        >
          <Trans>Create key</Trans>
        </Button>
      }
    >
      <Keys removing={remove.isPending} onRemove={setDoomed} />
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
      <ConfirmDialog
        opened={doomed !== null}
        title={t`Delete API key`}
        action={t`Delete`}
        onClose={() => setDoomed(null)}
        onConfirm={() => {
          if (doomed) remove.mutate(doomed);
          setDoomed(null);
        }}
      >
        <Trans>Programs that use {doomedName} are refused from now on.</Trans>
      </ConfirmDialog>
    </Panel>
  );
}

interface KeysProps {
  readonly removing: boolean;
  readonly onRemove: (key: AccountApiKey) => void;
}

function Keys({ removing, onRemove }: KeysProps) {
  const { t } = useLingui();
  return (
    <QueryBoundary query={useQuery(apiKeysQuery)} errorTitle={t`Error fetching API keys`}>
      {(keys) =>
        keys.length === 0 ? (
          <EmptyState
            compact
            icon={<IconKey size={22} stroke={1.6} />}
            title={t`No further keys`}
            text={<Trans>A key of its own can be ended without touching the others.</Trans>}
          />
        ) : (
          <ul className={classes["list"]} aria-label={t`Further API keys`}>
            {keys.map((key) => {
              const { name } = key;
              return (
                <li key={key.id}>
                  <ApiKeyRow apiKey={key} />
                  <Tooltip label={t`Delete`}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      size={30}
                      aria-label={t`Delete ${name}`}
                      aria-disabled={removing}
                      data-disabled={removing}
                      onClick={() => removing || onRemove(key)}
                    >
                      <IconTrash size={16} stroke={1.6} />
                    </ActionIcon>
                  </Tooltip>
                </li>
              );
            })}
          </ul>
        )
      }
    </QueryBoundary>
  );
}
