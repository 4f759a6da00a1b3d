import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { passkeyRoutes, renamePasskeyBody } from "@palisade/contract/http/passkeys";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { StepUpDeclined, withStepUp } from "#src/api/step-up.ts";
import { createPasskey, PasskeyDeclined, PasskeyKnown } from "#src/lib/passkeys.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { passkeysQuery, showBackupCodes } from "../profile.queries.ts";
import { BackupCodes } from "./backup-codes.tsx";
import classes from "./security.module.css";

async function add(name: string) {
  const { data } = await withStepUp(() => call(passkeyRoutes.beginPasskey, {}));
  const credential = await createPasskey(data.options);
  return withStepUp(() => call(passkeyRoutes.addPasskey, { body: { name, credential } }));
}

/** Asks for a name, then lets the browser make the passkey. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  // By default the dialog would focus its first button.
  useEffect(() => input.current?.focus(), []);
  const { field, submit, placeIssues } = useContractForm(renamePasskeyBody, { name: "" });
  const adding = useMutation({
    mutationFn: ({ name }: { name: string }) => add(name),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      void queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      if (data.backup_codes.length === 0) onClose();
      else showBackupCodes(data.backup_codes);
    },
    onError: (error) => void placeIssues(fieldIssues(error)),
  });
  const failure = failureText(adding.error);
  const codes = adding.data?.data.backup_codes ?? [];

  function failureText(error: unknown): string | null {
    if (error === null || error instanceof StepUpDeclined) return null;
    if ("name" in fieldIssues(error)) return null;
    if (error instanceof PasskeyDeclined) return t`No passkey was made. Please try again.`;
    if (error instanceof PasskeyKnown) return t`This device already has a passkey of this account.`;
    return errorText(error, t`Failed to add the passkey`);
  }

  if (codes.length > 0) return <NewBackupCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog
      opened
      title={t`Add passkey`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={adding.isPending}>
            <Trans>Continue</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        className={classes["form"]}
        noValidate
        onSubmit={submit((values) => adding.mutate(values))}
      >
        <TextInput
          {...field("name")}
          ref={input}
          label={t`Name`}
          description={t`Tells your passkeys apart. Your browser then asks where to keep this one.`}
          placeholder={t`Laptop`}
          autoComplete="off"
          maxLength={60}
        />
        {failure === null ? null : (
          <Banner
            tone="danger"
            live="assertive"
            icon={<IconAlertTriangle size={18} stroke={1.6} />}
          >
            {failure}
          </Banner>
        )}
      </form>
    </Dialog>
  );
}

/** The codes that come with the first passkey: on a phone, the list of them is far below the button. */
function NewBackupCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useLingui();
  return (
    <Dialog
      opened
      wide
      title={t`Save your backup codes`}
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      }
    >
      <BackupCodes codes={codes} instead="passkey" />
    </Dialog>
  );
}
