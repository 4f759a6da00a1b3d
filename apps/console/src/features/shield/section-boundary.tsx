import { useLingui } from "@lingui/react/macro";
import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { ErrorState } from "#src/ui/error-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { SectionName } from "./sections.ts";

/** Keeps the header and the tabs usable when a section fails or its code does not load. */
export function SectionBoundary({ name, children }: { name: SectionName; children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => name} errorComponent={SectionFailure}>
      {children}
    </CatchBoundary>
  );
}

// A browser may cache the failed load, so only a new document helps.
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
          // Offline, a reload would show the browser's error page.
          if (globalThis.navigator.onLine) reload();
        }}
      />
    </Panel>
  );
}
