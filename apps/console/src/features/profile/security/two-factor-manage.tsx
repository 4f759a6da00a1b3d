import { Skeleton } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { disableTwoFactor, regenerateBackupCodes } from "@palisade/contract/http/two-factor";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "#src/api/client.ts";
import { statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { toast } from "#src/ui/toasts.tsx";
import profile from "../profile.module.css";
import { backupCodesQuery, patchProfile } from "../profile.queries.ts";
import { BackupCodes } from "./backup-codes.tsx";
import { CodeField } from "./code-field.tsx";
import classes from "./security.module.css";
import { refusalOf } from "./two-factor-setup.tsx";

export function TwoFactorManage() {
  const { t } = useLingui();
  const [code, setCode] = useState("");
  const body = { code: code.trim() };
  const disable = useMutation({
    mutationFn: () => call(disableTwoFactor, { body }),
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
  const regenerate = useMutation({
    mutationFn: () => call(regenerateBackupCodes, { body }),
    onSuccess: ({ data }) => {
      const { backup_codes: codes, message } = data;
      toast("success", message);
      setCode("");
      const made = { backup_codes: codes, left: codes.length, made_at: new Date().toISOString() };
      queryClient.setQueryData(backupCodesQuery.queryKey, made);
    },
    onError: (error) => {
      if (statusOf(error) !== 422) toastError(error, t`Failed to make backup codes`);
    },
  });
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
            onClick={() => regenerate.mutate()}
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
      <Codes />
    </>
  );
}

function Codes() {
  const query = useQuery(backupCodesQuery);
  // Codes that came with enabling were put into the cache without an observer: remove them here.
  useEffect(() => () => queryClient.removeQueries({ queryKey: backupCodesQuery.queryKey }), []);
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["backup"]}>
        <Skeleton height={20} width={220} />
      </LoadingRegion>
    );
  }
  // No error is shown: the codes work even if they cannot be counted.
  if (!query.data) return null;
  const { left, backup_codes: codes } = query.data;
  return (
    <div className={classes["backup"]}>
      <p>
        <strong>
          <Plural value={left} one="# backup code left" other="# backup codes left" />
        </strong>
      </p>
      <BackupCodes codes={codes} />
    </div>
  );
}
