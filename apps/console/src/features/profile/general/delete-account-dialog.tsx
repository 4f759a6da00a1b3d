import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { deleteAccount } from "@palisade/contract/http/account";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { endSession } from "#src/api/session.ts";
import { StepUpDeclined, withStepUp } from "#src/api/step-up.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "../profile.module.css";

/** Deletion is final, so the account's e-mail must be typed to confirm it. */
export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useLingui();
  const formId = useId();
  const [typed, setTyped] = useState("");
  const matches = typed.trim().toLowerCase() === email.toLowerCase();
  const erase = useMutation({
    mutationFn: () => withStepUp(() => call(deleteAccount, { body: { email: typed } })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      endSession("logged_out");
    },
  });
  const failure = erase.error instanceof StepUpDeclined ? null : erase.error;
  return (
    <Dialog
      opened
      title={t`Delete account`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            type="submit"
            form={formId}
            color="danger"
            disabled={!matches}
            loading={erase.isPending}
          >
            <Trans>Delete for good</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (matches && !erase.isPending) erase.mutate();
        }}
      >
        <p>
          <Trans>All sessions and API keys end at once. The account cannot be restored.</Trans>
        </p>
        <TextInput
          className={classes["below"] ?? ""}
          label={t`Type ${email} to confirm`}
          type="email"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {failure === null ? null : (
          <div className={classes["below"]}>
            <Banner
              tone="danger"
              live="assertive"
              icon={<IconAlertTriangle size={18} stroke={1.6} />}
            >
              {fieldIssues(failure)["email"] ?? errorText(failure, t`Failed to delete account`)}
            </Banner>
          </div>
        )}
      </form>
    </Dialog>
  );
}
