import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { registerNavigationGuard } from "#src/lib/navigation-guard.ts";
import { Dialog } from "./dialog.tsx";

type Answer = (leave: boolean) => void;

interface UnsavedGuardProps {
  readonly dirty: boolean;
  /** For a form with several tabs: switching between them loses nothing. */
  readonly acrossTabs?: boolean;
}

/** Asks before unsaved entries are lost: on links, the back button, a reload, logging out. */
export function UnsavedGuard({ dirty, acrossTabs = false }: UnsavedGuardProps) {
  const { t } = useLingui();
  const blocker = useBlocker({
    // A hash stays on the same page: nothing is lost.
    shouldBlockFn: ({ current, next }) =>
      dirty &&
      (current.pathname !== next.pathname || !(acrossTabs || isEqual(current.search, next.search))),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  const [asked, setAsked] = useState<{ readonly answer: Answer } | null>(null);
  useEffect(() => {
    if (!dirty) return undefined;
    return registerNavigationGuard(() => new Promise((answer) => setAsked({ answer })));
  }, [dirty]);

  function answer(leave: boolean) {
    asked?.answer(leave);
    setAsked(null);
    if (leave) blocker.proceed?.();
    else blocker.reset?.();
  }

  return (
    <Dialog
      opened={asked !== null || blocker.status === "blocked"}
      title={t`Unsaved changes`}
      onClose={() => answer(false)}
      actions={
        <>
          <Button variant="default" onClick={() => answer(false)}>
            <Trans>Stay</Trans>
          </Button>
          <Button color="danger" onClick={() => answer(true)}>
            <Trans>Discard</Trans>
          </Button>
        </>
      }
    >
      <Trans>Your changes are not saved. Leave without saving?</Trans>
    </Dialog>
  );
}

function isEqual(search: object, other: object): boolean {
  return JSON.stringify(search) === JSON.stringify(other);
}
