import { Checkbox, PasswordInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { updatePassword, updatePasswordBody, type Profile } from "@palisade/contract/http/account";
import { useMutation, useQuery } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, hasCode } from "#src/api/errors.ts";
import { endSession } from "#src/api/session.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { useContractForm } from "#src/lib/use-contract-form.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { NewPasswordFields } from "#src/ui/new-password-fields.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { useVisibilityLabel } from "#src/ui/visibility-label.ts";
import classes from "../profile.module.css";
import { apiKeysQuery } from "../profile.queries.ts";

const empty = {
  current_password: "",
  password: "",
  password_confirmation: "",
  keep_api_keys: false,
};

export function PasswordPanel({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const { form, field, submit, placeIssues } = useContractForm(updatePasswordBody, empty);
  const save = useMutation({
    mutationFn: (body: typeof empty) => withStepUp(() => call(updatePassword, { body })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      endSession("logged_out");
    },
    onError: (error) => {
      const failed = t`Failed to update password`;
      const isWrong = hasCode(error, "invalid_credentials");
      const issues = isWrong ? { current_password: errorText(error, failed) } : fieldIssues(error);
      if (!placeIssues(issues)) toastError(error, failed);
    },
  });
  const visibility = useVisibilityLabel();
  const { data: keys } = useQuery(apiKeysQuery);
  const hasNoKeys = profile.api_key === null && keys?.length === 0;

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
        <input type="hidden" name="username" autoComplete="username" value={profile.email} />
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
        {hasNoKeys ? null : (
          <Checkbox
            {...field("keep_api_keys", { type: "checkbox" })}
            label={t`Keep my API keys`}
            description={t`Otherwise they stop working at once. Keep them only if you are sure that no other person has them.`}
          />
        )}
        <div className={classes["actions"]}>
          <ActionButton type="submit" loading={save.isPending || save.isSuccess}>
            <Trans>Change password</Trans>
          </ActionButton>
        </div>
      </form>
    </Panel>
  );
}
