import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { StepUpDeclined } from "#src/api/step-up.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { eraseFromLog } from "./logs.queries.ts";

interface EraseDialogProps {
  readonly shieldId: string;
  /** The name that is filled in; null: closed. */
  readonly player: string | null;
  readonly onClose: () => void;
}

/** Erases a player from the log, for a player who asks the owner for it. */
export function EraseDialog({ shieldId, player, onClose }: EraseDialogProps) {
  const { t } = useLingui();
  const [typed, type] = useState<string | null>(null);
  const name = typed ?? player ?? "";
  const close = () => {
    type(null);
    onClose();
  };
  const erase = useMutation({
    mutationFn: () => eraseFromLog(shieldId, name.trim()),
    onSuccess: async (message) => {
      toast("success", message);
      close();
      await queryClient.invalidateQueries({ queryKey: ["servers", shieldId, "log"] });
    },
    onError: (error) => {
      if (error instanceof StepUpDeclined) return;
      toast("error", errorText(error, t`The player could not be erased`));
    },
  });
  return (
    <Dialog
      opened={player !== null}
      title={t`Erase a player`}
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            color="danger"
            loading={erase.isPending}
            disabled={name.trim() === ""}
            onClick={() => erase.mutate()}
          >
            <Trans>Erase</Trans>
          </ActionButton>
        </>
      }
    >
      <p>
        <Trans>
          All entries of this player are deleted from the log of this shield. This cannot be undone.
        </Trans>
      </p>
      <TextInput
        mt={12}
        label={t`Player`}
        value={name}
        maxLength={16}
        autoComplete="off"
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
    </Dialog>
  );
}
