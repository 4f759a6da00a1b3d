import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useBlocker } from "@tanstack/react-router";
import { Dialog } from "./dialog.tsx";

/** Asks before what was typed is lost: on links, the back button, a reload. */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const { t } = useLingui();
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <Dialog
      opened={blocker.status === "blocked"}
      title={t`Unsaved changes`}
      onClose={() => blocker.reset?.()}
      actions={
        <>
          <Button variant="default" onClick={() => blocker.reset?.()}>
            <Trans>Stay</Trans>
          </Button>
          <Button color="danger" onClick={() => blocker.proceed?.()}>
            <Trans>Discard</Trans>
          </Button>
        </>
      }
    >
      <Trans>What you typed has not been saved. Leave it behind?</Trans>
    </Dialog>
  );
}
