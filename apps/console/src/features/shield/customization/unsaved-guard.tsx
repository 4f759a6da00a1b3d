import { Button, Modal } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useBlocker } from "@tanstack/react-router";
import classes from "./unsaved-guard.module.css";

/** Asks before typed texts are lost: on links, the back button, a reload. */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const { t } = useLingui();
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t`Unsaved changes`}
      closeButtonProps={{ "aria-label": t`Close` }}
      data-dialog-open
    >
      <p>
        <Trans>The texts you typed have not been saved. Leave them behind?</Trans>
      </p>
      <div className={classes["actions"]}>
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          <Trans>Stay</Trans>
        </Button>
        <Button color="danger" onClick={() => blocker.proceed?.()}>
          <Trans>Discard</Trans>
        </Button>
      </div>
    </Modal>
  );
}
