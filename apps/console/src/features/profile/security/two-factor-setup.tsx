import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { enableTwoFactor } from "@palisade/contract/http/two-factor";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, useEffect } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues, statusOf } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { patchProfile, showBackupCodes, twoFactorSetupQuery } from "../profile.queries.ts";
import { CodeField } from "./code-field.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import classes from "./security.module.css";
import { qrPictureUrl } from "./qr-picture.ts";

export function TwoFactorSetup() {
  const { t } = useLingui();
  return (
    <QueryBoundary
      query={useQuery(twoFactorSetupQuery)}
      errorTitle={t`Failed to setup 2FA`}
      skeleton={<SetupSkeleton />}
    >
      {({ secret, qr_code: qrCode }) => <SetupForm secret={secret} qrCode={qrCode} />}
    </QueryBoundary>
  );
}

/** Shows the secret for the authenticator app and asks for a code as proof. */
function SetupForm({ secret, qrCode }: { secret: string; qrCode: string }) {
  const { t } = useLingui();
  const [code, setCode] = useState("");
  const enable = useMutation({
    mutationFn: () => withStepUp(() => call(enableTwoFactor, { body: { code: code.trim() } })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      showBackupCodes(data.backup_codes);
      patchProfile({ two_factor_enabled: true });
      queryClient.removeQueries({ queryKey: twoFactorSetupQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ["user"] });
    },
    onError: (error) => {
      if (statusOf(error) !== 422) toastError(error, t`Failed to enable 2FA`);
    },
  });
  const refusal = refusalOf(enable.error, t`Failed to enable 2FA`);

  return (
    <div className={classes["setup"]}>
      <QrCode uri={qrCode} />
      <form
        className={classes["steps"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() !== "" && !enable.isPending) enable.mutate();
        }}
      >
        <div>
          <p>
            <Trans>Scan the QR code with your authenticator app, or enter this secret:</Trans>
          </p>
          <div className={classes["secret"]}>
            <code className={classes["value"]}>{secret}</code>
            <CopyButton value={secret} label={t`Copy secret`} />
          </div>
        </div>
        <CodeField
          label={t`Code shown by the app`}
          value={code}
          error={refusal}
          onChange={(typed) => {
            setCode(typed);
            enable.reset();
          }}
        />
        <div className={classes["row"]}>
          <ActionButton type="submit" disabled={code.trim() === ""} loading={enable.isPending}>
            <Trans>Enable</Trans>
          </ActionButton>
        </div>
      </form>
    </div>
  );
}

function SetupSkeleton() {
  return (
    <div className={classes["setup"]}>
      <Skeleton height={190} width={190} />
      <div className={classes["steps"]}>
        <Skeleton height={62} />
        <Skeleton height={59} width={220} />
        <Skeleton height={36} width={100} />
      </div>
    </div>
  );
}

/** The error beside the code field. Other failures are not about the code. */
export function refusalOf(error: unknown, fallback: string): string | undefined {
  if (statusOf(error) !== 422) return undefined;
  return fieldIssues(error)["code"] ?? errorText(error, fallback);
}

/** The content policy allows pictures from blobs, not from data: addresses. */
function QrCode({ uri }: { uri: string }) {
  const { t } = useLingui();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = qrPictureUrl(uri);
    // oxlint-disable-next-line react/set-state-in-effect -- a blob's address has to be released
    setUrl(made);
    return () => {
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [uri]);
  if (url === null) return <span className={classes["qr"]} />;
  return <img className={classes["qr"]} src={url} alt={t`QR code for your authenticator app`} />;
}
