import { Trans, useLingui } from "@lingui/react/macro";
import type { ServerListItem } from "@palisade/contract/http/servers";
import { IconRestore } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "#src/api/errors.ts";
import { restoreShield } from "#src/api/shields.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { ShieldImage } from "#src/ui/shield-image.tsx";
import { Day } from "#src/ui/time.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./shield-card.module.css";

/** A deleted shield, which can only be restored. */
export function DeletedCard({ server }: { server: ServerListItem }) {
  const { t } = useLingui();
  const name = server.server_name;
  const restore = useMutation({
    mutationFn: () => restoreShield(server.id),
    onSuccess: (message) => toast("success", message),
    onError: (error) => toast("error", errorText(error, t`Failed to restore server`)),
  });
  const until = server.restorable_until;
  return (
    <li className={classes["card"]}>
      <div className={classes["head"]}>
        <ShieldImage id={server.id} src={server.img} name={name} />
        <div className={classes["names"]}>
          <p className={classes["name"]}>{name}</p>
          <p className={`mono ${classes["address"]}`}>{server.domain ?? server.cname_record}</p>
        </div>
      </div>
      <div className={classes["state"]}>
        <ShieldStatus status={server.status} underAttack={false} />
        {until === null ? null : (
          <span>
            <Trans>
              restorable until <Day at={until} />
            </Trans>
          </span>
        )}
      </div>
      <ActionButton
        variant="default"
        leftSection={<IconRestore size={16} stroke={1.6} />}
        loading={restore.isPending}
        aria-label={t`Restore ${name}`}
        onClick={() => restore.mutate()}
      >
        <Trans>Restore</Trans>
      </ActionButton>
    </li>
  );
}
