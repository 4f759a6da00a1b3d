import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { passkeyRoutes, renamePasskeyBody, type Passkey } from "@palisade/contract/http/passkeys";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { passkeysQuery } from "../profile.queries.ts";

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const { field, submit, placeIssues } = useContractForm(renamePasskeyBody, {
    name: passkey.name,
  });
  const rename = useMutation({
    mutationFn: (body: { name: string }) =>
      call(passkeyRoutes.renamePasskey, { params: { id: passkey.id }, body }),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      void queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      onClose();
    },
    onError: (error) => {
      if (placeIssues(fieldIssues(error))) return;
      toast("error", errorText(error, t`Failed to rename the passkey`));
    },
  });
  return (
    <Dialog
      opened
      title={t`Rename passkey`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={rename.isPending}>
            <Trans>Save</Trans>
          </ActionButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit((values) => rename.mutate(values))}>
        <TextInput
          {...field("name")}
          ref={input}
          label={t`Name`}
          autoComplete="off"
          maxLength={60}
        />
      </form>
    </Dialog>
  );
}
