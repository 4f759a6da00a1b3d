import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { SubUser } from "@palisade/contract/http/sub-users";
import { useId, useState, type SubmitEvent } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { RoleFields, roleBody, type ChosenRole } from "./role-fields.tsx";
import classes from "./sub-users.module.css";
import { useRoleChange } from "./use-sub-users.ts";

interface ChangeRoleDialogProps {
  readonly shieldId: string;
  readonly subUser: SubUser;
  readonly onClose: () => void;
}

export function ChangeRoleDialog({ shieldId, subUser, onClose }: ChangeRoleDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const [chosen, choose] = useState<ChosenRole>(subUser);
  const change = useRoleChange(shieldId);

  function send(event: SubmitEvent) {
    event.preventDefault();
    const body = roleBody(chosen);
    change.mutate({ subUserId: subUser.id, body }, { onSuccess: onClose });
  }

  return (
    <Dialog
      opened
      title={t`Role of ${subUser.email}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={change.isPending}>
            <Trans>Save</Trans>
          </ActionButton>
        </>
      }
    >
      <form id={formId} className={classes["fields"]} onSubmit={send}>
        <RoleFields value={chosen} onChange={choose} />
      </form>
    </Dialog>
  );
}
