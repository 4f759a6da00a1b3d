import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconCopy, IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./security.module.css";
import { useProfileKey } from "./use-profile-key.ts";

const icon = { size: 16, stroke: 1.6 };

export function ProfileKeyPanel({ masked }: { masked: string | null }) {
  const { t } = useLingui();
  const key = useProfileKey();
  const [asking, setAsking] = useState(false);
  const note = t`Works as a bearer token with your own rights. Treat it like your password.`;
  if (masked === null && key.shown === null) {
    return (
      <Panel prominent title={t`API key`} note={note}>
        <Button loading={key.busy} onClick={key.regenerate}>
          <Trans>Create API key</Trans>
        </Button>
      </Panel>
    );
  }
  return (
    <Panel prominent title={t`API key`} note={note}>
      <div className={classes["key"]}>
        <code className={classes["value"]}>{key.shown ?? masked}</code>
        {key.shown === null ? (
          <Button
            variant="default"
            leftSection={<IconEye {...icon} />}
            disabled={key.busy}
            onClick={key.show}
          >
            <Trans>Show</Trans>
          </Button>
        ) : (
          <Button variant="default" leftSection={<IconEyeOff {...icon} />} onClick={key.hide}>
            <Trans>Hide</Trans>
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconCopy {...icon} />}
          disabled={key.busy}
          onClick={key.copy}
        >
          <Trans>Copy</Trans>
        </Button>
        <Button
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          disabled={key.busy}
          onClick={() => setAsking(true)}
        >
          <Trans>Regenerate</Trans>
        </Button>
      </div>
      <ConfirmDialog
        opened={asking}
        title={t`Regenerate API key`}
        action={t`Regenerate`}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          key.regenerate();
        }}
      >
        <Trans>The present key stops at once. Programs that use it need the new one.</Trans>
      </ConfirmDialog>
    </Panel>
  );
}
