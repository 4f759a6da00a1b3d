import { useLingui } from "@lingui/react/macro";
import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { ErrorState } from "#src/ui/error-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { SectionName } from "./sections.ts";

/** A section that fails, or whose code did not arrive, leaves the header and the tabs alone. */
export function SectionBoundary({ name, children }: { name: SectionName; children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => name} errorComponent={SectionFailure}>
      {children}
    </CatchBoundary>
  );
}

// A browser may remember code that did not arrive: it wants a new document.
const reload = () => globalThis.location.reload();

function SectionFailure({ error }: ErrorComponentProps) {
  const { t } = useLingui();
  useEffect(() => {
    globalThis.addEventListener("online", reload);
    return () => globalThis.removeEventListener("online", reload);
  }, []);
  return (
    <Panel>
      <ErrorState
        error={error}
        title={t`Something went wrong`}
        onRetry={() => {
          // Without a connection it would be the browser's own page.
          if (globalThis.navigator.onLine) reload();
        }}
      />
    </Panel>
  );
}
