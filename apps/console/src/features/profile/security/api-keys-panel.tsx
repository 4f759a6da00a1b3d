import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { deleteApiKey, type AccountApiKey } from "@palisade/contract/http/account";
import { IconKey, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { IconButton } from "#src/ui/icon-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { apiKeysQuery } from "../profile.queries.ts";
import { ApiKeyRow } from "./api-key-row.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import classes from "./security.module.css";

/** Named keys with limited rights, one for each program. */
export function ApiKeysPanel() {
  const { t } = useLingui();
  const [creating, setCreating] = useState(false);
  const [keyToDelete, setKeyToDelete] = useState<AccountApiKey | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: AccountApiKey) => withStepUp(() => call(deleteApiKey, { params: { id } })),
    onSuccess: ({ data }) => toast("success", data.message),
    onError: (error) => toastError(error, t`Failed to delete API key`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
  const keyName = keyToDelete?.name ?? "";
  return (
    <Panel
      prominent
      title={t`Further API keys`}
      note={t`Create one key for each program, with only the rights it needs.`}
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
      <Keys removing={remove.isPending} onRemove={setKeyToDelete} />
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
      <ConfirmDialog
        opened={keyToDelete !== null}
        title={t`Delete API key`}
        action={t`Delete`}
        onClose={() => setKeyToDelete(null)}
        onConfirm={() => {
          if (keyToDelete) remove.mutate(keyToDelete);
          setKeyToDelete(null);
        }}
      >
        <Trans>Programs that use {keyName} stop working at once.</Trans>
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
            text={
              <Trans>
                With a key for each program, you can delete one without affecting the others.
              </Trans>
            }
          />
        ) : (
          <ul className={classes["list"]} aria-label={t`Further API keys`}>
            {keys.map((key) => {
              const { name } = key;
              return (
                <li key={key.id}>
                  <ApiKeyRow apiKey={key} />
                  <IconButton
                    hint={t`Delete`}
                    size={30}
                    icon={<IconTrash size={16} stroke={1.6} />}
                    label={t`Delete ${name}`}
                    removes
                    inactive={removing}
                    onClick={() => onRemove(key)}
                  />
                </li>
              );
            })}
          </ul>
        )
      }
    </QueryBoundary>
  );
}
