import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { passkeyRoutes, type Passkey } from "@palisade/contract/http/passkeys";
import { IconFingerprint, IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { IconButton } from "#src/ui/icon-button.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { passkeysWork } from "#src/lib/passkeys.ts";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Day } from "#src/ui/time.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { passkeysQuery } from "../profile.queries.ts";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { LastUsed } from "./last-used.tsx";
import { PasskeyBackupCodes } from "./passkey-backup-codes.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { RenamePasskeyDialog } from "./rename-passkey-dialog.tsx";
import classes from "./security.module.css";

type Open = "add" | { readonly rename: Passkey } | { readonly remove: Passkey };

/**
 * Passkeys log their owner in without a password, and are asked for before risky changes.
 *
 * @param withBackupCodes false where another panel has them
 */
export function PasskeysPanel({ withBackupCodes }: { withBackupCodes: boolean }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { data: keys } = useQuery(passkeysQuery);
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) =>
      withStepUp(() => call(passkeyRoutes.removePasskey, { params: { id } })),
    onSuccess: ({ data }) => toast("success", data.message),
    onError: (error) => toastError(error, t`Failed to remove the passkey`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
  const toRemove = open !== null && open !== "add" && "remove" in open ? open.remove : null;
  const toRename = open !== null && open !== "add" && "rename" in open ? open.rename : null;
  const name = toRemove?.name ?? "";
  return (
    <Panel
      prominent
      title={t`Passkeys`}
      note={
        passkeysWork()
          ? t`Log in with your fingerprint, face, PIN or security key. Once you have a passkey, risky changes ask for it.`
          : t`Passkeys can be added only in a browser that supports them, over https and at an address with a domain.`
      }
      aside={
        passkeysWork() ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.8} />}
            onClick={() => setOpen("add")}
          >
            <Trans>Add passkey</Trans>
          </Button>
        ) : null
      }
    >
      <Passkeys
        withBackupCodes={withBackupCodes}
        removing={remove.isPending}
        onRename={(rename) => setOpen({ rename })}
        onRemove={(key) => setOpen({ remove: key })}
      />
      {open === "add" ? <AddPasskeyDialog onClose={close} /> : null}
      {toRename === null ? null : <RenamePasskeyDialog passkey={toRename} onClose={close} />}
      <ConfirmDialog
        opened={toRemove !== null}
        title={t`Remove passkey`}
        action={t`Remove`}
        onClose={close}
        onConfirm={() => {
          if (toRemove) remove.mutate(toRemove);
          close();
        }}
      >
        <Trans>
          You can no longer log in with {name}. Delete it from your device or password manager, too.
        </Trans>
        {keys?.length === 1 ? (
          <p className={classes["last"]}>
            {withBackupCodes ? (
              <Trans>
                It is your only passkey: your backup codes go with it, and risky changes ask for
                your password.
              </Trans>
            ) : (
              <Trans>It is your only passkey: risky changes then ask for a code of your app.</Trans>
            )}
          </p>
        ) : null}
      </ConfirmDialog>
    </Panel>
  );
}

interface PasskeysProps extends RowProps {
  readonly withBackupCodes: boolean;
}

interface RowProps {
  readonly removing: boolean;
  readonly onRename: (key: Passkey) => void;
  readonly onRemove: (key: Passkey) => void;
}

function Passkeys({ withBackupCodes, removing, onRename, onRemove }: PasskeysProps) {
  const { t } = useLingui();
  return (
    <QueryBoundary query={useQuery(passkeysQuery)} errorTitle={t`Error fetching passkeys`}>
      {(keys) =>
        keys.length === 0 ? (
          <EmptyState
            compact
            icon={<IconFingerprint size={22} stroke={1.6} />}
            title={t`No passkeys`}
            text={<Trans>A passkey cannot be guessed, reused or given away to a false page.</Trans>}
          />
        ) : (
          <>
            <ul className={classes["list"]} aria-label={t`Passkeys`}>
              {keys.map((key) => (
                <PasskeyRow
                  key={key.id}
                  passkey={key}
                  removing={removing}
                  onRename={onRename}
                  onRemove={onRemove}
                />
              ))}
            </ul>
            {withBackupCodes ? <PasskeyBackupCodes /> : null}
          </>
        )
      }
    </QueryBoundary>
  );
}

function PasskeyRow({
  passkey,
  removing,
  onRename,
  onRemove,
}: RowProps & { readonly passkey: Passkey }) {
  const { t } = useLingui();
  const { name } = passkey;
  return (
    <li>
      <div className={classes["about"]}>
        <span className={classes["name"]}>
          {name}
          {passkey.is_synced ? (
            <span className={classes["badge"]}>
              <Trans>Synced</Trans>
            </span>
          ) : null}
        </span>
        <p>
          <LastUsed at={passkey.last_used_at} />
          {" · "}
          <Trans>
            Created <Day at={passkey.created_at} />
          </Trans>
        </p>
      </div>
      <IconButton
        hint={t`Rename`}
        size={30}
        icon={<IconPencil size={16} stroke={1.6} />}
        label={t`Rename ${name}`}
        onClick={() => onRename(passkey)}
      />
      <IconButton
        hint={t`Remove`}
        size={30}
        icon={<IconTrash size={16} stroke={1.6} />}
        label={t`Remove ${name}`}
        removes
        inactive={removing}
        onClick={() => onRemove(passkey)}
      />
    </li>
  );
}
