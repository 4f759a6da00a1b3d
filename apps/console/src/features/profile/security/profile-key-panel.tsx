import { Trans, useLingui } from "@lingui/react/macro";
import { IconCopy, IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./security.module.css";
import { useProfileKey } from "./use-profile-key.ts";

const icon = { size: 16, stroke: 1.6 };

export function ProfileKeyPanel({ masked }: { masked: string | null }) {
  const { t } = useLingui();
  const key = useProfileKey();
  const [asking, setAsking] = useState(false);
  const isMade = masked !== null || key.shown !== null;
  return (
    <Panel
      prominent
      title={t`API key`}
      note={t`Programs send it as a bearer token and can then do everything you can. Treat it like your password.`}
    >
      <div className={classes["key"]}>
        {isMade ? <Value masked={masked} profileKey={key} /> : null}
        {/* The same button creates and regenerates, so that it keeps the focus. */}
        <ActionButton
          {...(isMade && { variant: "default", leftSection: <IconRefresh {...icon} /> })}
          loading={key.busy && !isMade}
          disabled={key.busy}
          onClick={isMade ? () => setAsking(true) : key.regenerate}
        >
          {isMade ? <Trans>Regenerate</Trans> : <Trans>Create API key</Trans>}
        </ActionButton>
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
        <Trans>The current key stops working at once. Programs that use it need the new one.</Trans>
      </ConfirmDialog>
    </Panel>
  );
}

interface ValueProps {
  readonly masked: string | null;
  readonly profileKey: ReturnType<typeof useProfileKey>;
}

function Value({ masked, profileKey }: ValueProps) {
  const { shown, busy, show, hide, copy } = profileKey;
  return (
    <>
      <code className={classes["value"]}>{shown ?? masked}</code>
      <ActionButton
        variant="default"
        leftSection={shown === null ? <IconEye {...icon} /> : <IconEyeOff {...icon} />}
        disabled={busy}
        onClick={shown === null ? show : hide}
      >
        {shown === null ? <Trans>Show</Trans> : <Trans>Hide</Trans>}
      </ActionButton>
      <ActionButton
        variant="default"
        leftSection={<IconCopy {...icon} />}
        disabled={busy}
        onClick={copy}
      >
        <Trans>Copy</Trans>
      </ActionButton>
    </>
  );
}
