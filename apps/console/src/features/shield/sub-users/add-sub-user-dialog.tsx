import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addSubUserBody, invitationDays } from "@palisade/contract/http/sub-users";
import { useEffect, useId, useRef } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { useInvite } from "./use-sub-users.ts";

interface AddSubUserDialogProps {
  readonly shieldId: string;
  readonly onClose: () => void;
}

export function AddSubUserDialog({ shieldId, onClose }: AddSubUserDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  // After the dialog has given the focus to its first button.
  useEffect(() => input.current?.focus(), []);
  const { field, submit, placeIssues } = useContractForm(addSubUserBody, { email: "" });
  const invite = useInvite(shieldId);

  function send(email: string) {
    invite.mutate(email, {
      onSuccess: onClose,
      onError: (error) => {
        const text = errorText(error, t`Failed to add sub-user`);
        if (!placeIssues({ email: text, ...fieldIssues(error) })) toast("error", text);
      },
    });
  }

  return (
    <Dialog
      opened
      title={t`Add sub user`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton type="submit" form={formId} loading={invite.isPending}>
            <Trans>Send invitation</Trans>
          </ActionButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit(({ email }) => send(email.trim()))}>
        <TextInput
          {...field("email")}
          ref={input}
          label={t`E-mail or username`}
          description={t`If this user exists, they get an invitation by e-mail, valid for ${invitationDays} days. An address without an account registers first.`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </form>
    </Dialog>
  );
}
