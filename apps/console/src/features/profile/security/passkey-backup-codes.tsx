import { Trans } from "@lingui/react/macro";
import { ActionButton } from "#src/ui/action-button.tsx";
import { BackupCodesLeft } from "./backup-codes-left.tsx";
import { useNewBackupCodes } from "./use-new-backup-codes.ts";

/** The backup codes of an account that has passkeys, but no two-factor authentication. */
export function PasskeyBackupCodes() {
  const regenerate = useNewBackupCodes(() => undefined);
  return (
    <BackupCodesLeft
      instead="passkey"
      actions={
        <ActionButton
          variant="default"
          loading={regenerate.isPending}
          onClick={() => regenerate.mutate({})}
        >
          <Trans>New backup codes</Trans>
        </ActionButton>
      }
    />
  );
}
