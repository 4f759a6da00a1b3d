import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { addSubUserBody, invitationDays } from "@palisade/contract/http/sub-users";
import { useEffect, useId, useRef, useState } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { StepUpDeclined } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { RoleFields, roleBody, usualRole } from "./role-fields.tsx";
import classes from "./sub-users.module.css";
import { useInvite } from "./use-sub-users.ts";

interface AddSubUserDialogProps {
  readonly shieldId: string;
  readonly onClose: () => void;
}

export function AddSubUserDialog({ shieldId, onClose }: AddSubUserDialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  // The dialog focuses its first button first.
  useEffect(() => input.current?.focus(), []);
  const { form, field, submit, placeIssues } = useContractForm(addSubUserBody, { email: "" });
  const isValid = addSubUserBody.safeParse(form.values).success;
  const invite = useInvite(shieldId);
  const [role, chooseRole] = useState(usualRole);

  function send(email: string) {
    invite.mutate(
      { email, ...roleBody(role) },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (error instanceof StepUpDeclined) return;
          const text = errorText(error, t`Failed to add sub-user`);
          if (!placeIssues({ email: text, ...fieldIssues(error) })) toast("error", text);
        },
      },
    );
  }

  /** The button stays disabled until the address is valid; the field says why. */
  function explainDisabled() {
    if (form.values.email !== "" && !isValid) form.validateField("email");
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
          <ActionButton type="submit" form={formId} disabled={!isValid} loading={invite.isPending}>
            <Trans>Send invitation</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className={classes["fields"]}
        onSubmit={submit(({ email }) => send(email.trim()))}
      >
        <TextInput
          {...field("email")}
          ref={input}
          onBlur={explainDisabled}
          onKeyDown={({ key }) => key === "Enter" && explainDisabled()}
          label={t`E-mail or username`}
          description={t`We mail an invitation to this address, or to the user of this name. It is valid for ${invitationDays} days. Without an account, they register first.`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <RoleFields value={role} onChange={chooseRole} />
      </form>
    </Dialog>
  );
}
