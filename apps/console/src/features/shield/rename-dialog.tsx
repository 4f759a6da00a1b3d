import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { renameServerBody, serverLifeRoutes } from "@palisade/contract/http/server-life";
import type { Server } from "@palisade/contract/http/servers";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { refreshShields } from "#src/api/shields.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";

interface RenameDialogProps {
  readonly shield: Server;
  readonly onClose: () => void;
}

export function RenameDialog({ shield, onClose }: RenameDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const { form, field, submit, placeIssues } = useContractForm(renameServerBody, {
    server_name: shield.server_name,
  });
  const isEmpty = form.values.server_name.trim() === "";

  // Reads again in any case: another user may have renamed the shield.
  function close() {
    onClose();
    void refreshShields();
  }

  const rename = useMutation({
    mutationFn: (body: { server_name: string }) =>
      call(serverLifeRoutes.renameServer, { params: { id: shield.id }, body }),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      close();
    },
    onError: (error) => {
      if (!placeIssues(fieldIssues(error))) {
        toast("error", errorText(error, t`Failed to rename server`));
      }
    },
  });

  return (
    <Dialog
      opened
      title={t`Rename server`}
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} disabled={isEmpty} loading={rename.isPending}>
            <Trans>Save</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={submit((values) => {
          if (!isEmpty && !rename.isPending) rename.mutate(values);
        })}
      >
        <TextInput
          {...field("server_name")}
          label={t`Server name`}
          description={t`Changes only the name shown here. The server's address stays the same.`}
          autoComplete="off"
          data-autofocus
        />
      </form>
    </Dialog>
  );
}
