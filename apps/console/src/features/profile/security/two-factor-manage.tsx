import { Trans, useLingui } from "@lingui/react/macro";
import { disableTwoFactor } from "@palisade/contract/http/two-factor";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import profile from "../profile.module.css";
import { backupCodesQuery, patchProfile } from "../profile.queries.ts";
import { BackupCodesLeft } from "./backup-codes-left.tsx";
import { useNewBackupCodes } from "./use-new-backup-codes.ts";
import { CodeField } from "./code-field.tsx";
import classes from "./security.module.css";
import { refusalOf } from "./two-factor-setup.tsx";

export function TwoFactorManage() {
  const { t } = useLingui();
  const [code, setCode] = useState("");
  const body = { code: code.trim() };
  const disable = useMutation({
    mutationFn: () => withStepUp(() => call(disableTwoFactor, { body })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      patchProfile({ two_factor_enabled: false });
      queryClient.removeQueries({ queryKey: backupCodesQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ["user"] });
    },
    onError: (error) => {
      if (statusOf(error) !== 422) toastError(error, t`Failed to disable 2FA`);
    },
  });
  const regenerate = useNewBackupCodes(() => setCode(""));
  const busy = disable.isPending || regenerate.isPending;
  const refusal =
    refusalOf(disable.error, t`Failed to disable 2FA`) ??
    refusalOf(regenerate.error, t`Failed to make backup codes`);
  const isUseless = code.trim() === "" || busy;

  return (
    <>
      <form className={classes["form"]} noValidate onSubmit={(event) => event.preventDefault()}>
        <CodeField
          label={t`Code from the app or a backup code`}
          value={code}
          error={refusal}
          onChange={(typed) => {
            setCode(typed);
            disable.reset();
            regenerate.reset();
          }}
        />
        <div className={classes["row"]}>
          <ActionButton
            variant="default"
            disabled={isUseless}
            loading={regenerate.isPending}
            onClick={() => regenerate.mutate(body)}
          >
            <Trans>New backup codes</Trans>
          </ActionButton>
          <ActionButton
            variant="default"
            className={profile["danger"] ?? ""}
            disabled={isUseless}
            loading={disable.isPending}
            onClick={() => disable.mutate()}
          >
            <Trans>Disable</Trans>
          </ActionButton>
        </div>
      </form>
      <BackupCodesLeft instead="phone" />
    </>
  );
}
