import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import classes from "./notifications.module.css";

/** Only its button closes it: the secret is never shown again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      opened
      wide
      title={t`Signing secret`}
      actions={
        <Button onClick={onClose}>
          <Trans>I have stored it</Trans>
        </Button>
      }
    >
      <div className={classes["dialog"]}>
        <p>
          <Trans>
            Your receiver checks with it that a message comes from us. Store it now: we do not show
            it again.
          </Trans>
        </p>
        <div className={classes["secret"]}>
          <code className="mono">{secret}</code>
          <CopyButton value={secret} label={t`Copy the secret`} />
        </div>
      </div>
    </Dialog>
  );
}
