import { PasswordInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { updatePassword, updatePasswordBody } from "@palisade/contract/http/account";
import { useMutation } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { endSession } from "#src/api/session.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { NewPasswordFields } from "#src/ui/new-password-fields.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { useVisibilityLabel } from "#src/ui/visibility-label.ts";
import classes from "../profile.module.css";

const empty = { current_password: "", password: "", password_confirmation: "" };

export function PasswordPanel({ email }: { email: string }) {
  const { t } = useLingui();
  const { form, field, submit, placeIssues } = useContractForm(updatePasswordBody, empty);
  const save = useMutation({
    mutationFn: (body: typeof empty) => call(updatePassword, { body }),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      endSession("logged_out");
    },
    onError: (error) => {
      const text = errorText(error, t`Failed to update password`);
      const isWrong = hasCode(error, "invalid_credentials");
      const issues = isWrong ? { current_password: text } : fieldIssues(error);
      if (!placeIssues(issues)) toast("error", text);
    },
  });
  const visibility = useVisibilityLabel();

  return (
    <Panel
      prominent
      title={t`Change password`}
      note={t`This ends every session, including this one. You log in again with the new password.`}
    >
      <form
        className={classes["column"]}
        noValidate
        onSubmit={submit((values) => save.mutate(values))}
      >
        {/* Tells password managers the account of this password. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordInput
          {...field("current_password")}
          label={t`Current password`}
          autoComplete="current-password"
          visibilityToggleButtonProps={visibility}
        />
        <NewPasswordFields
          label={t`New password`}
          repeatLabel={t`Repeat new password`}
          password={form.values.password}
          field={field}
        />
        <div className={classes["actions"]}>
          <ActionButton type="submit" loading={save.isPending || save.isSuccess}>
            <Trans>Change password</Trans>
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}
