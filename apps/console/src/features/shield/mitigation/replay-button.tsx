import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import classes from "./replay.module.css";
import { Replay } from "./replay.tsx";
import type { SettingValues } from "./settings.ts";
import type { MitigationForm } from "./use-mitigation-form.ts";

interface ReplayButtonProps {
  readonly shieldId: string;
  readonly use: Pick<
    MitigationForm,
    "changed" | "isDirty" | "isSaving" | "readOnly" | "saveNow" | "theirs" | "whenValid"
  >;
}

/** Shows what the unsaved settings would have done, before they are saved. */
export function ReplayButton({ shieldId, use }: ReplayButtonProps) {
  const { t } = useLingui();
  const [asked, ask] = useState<Partial<SettingValues> | null>(null);
  const close = () => ask(null);
  return (
    <>
      <ActionButton
        type="button"
        variant="default"
        className={classes["ask"] ?? ""}
        leftSection={<IconHistory size={16} stroke={1.6} aria-hidden="true" />}
        disabled={use.readOnly || !use.isDirty || use.theirs !== null}
        onClick={() => use.whenValid(() => ask(use.changed))}
      >
        <Trans>What would this do?</Trans>
      </ActionButton>
      <Dialog
        opened={asked !== null}
        wide
        title={t`What would this do?`}
        onClose={close}
        actions={
          <>
            <Button variant="default" onClick={close}>
              <Trans>Back to the settings</Trans>
            </Button>
            <ActionButton
              type="button"
              loading={use.isSaving}
              onClick={() => {
                close();
                use.saveNow();
              }}
            >
              <Trans>Save</Trans>
            </ActionButton>
          </>
        }
      >
        {asked === null ? null : <Replay shieldId={shieldId} changed={asked} />}
      </Dialog>
    </>
  );
}
