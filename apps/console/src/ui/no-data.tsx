import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { EmptyState } from "./empty-state.tsx";

interface NoDataProps {
  readonly icon: ReactNode;
  /** What will be here. */
  readonly text: ReactNode;
  /** Why nothing is, where filters are set. */
  readonly filteredText: ReactNode;
  /** Takes the filters away; undefined where none is set. */
  readonly onClear: (() => void) | undefined;
}

/** An empty list says which it is: nothing yet, or nothing that the filters let through. */
export function NoData({ icon, text, filteredText, onClear }: NoDataProps) {
  const { t } = useLingui();
  return (
    <EmptyState
      compact
      icon={icon}
      title={t`No data to display`}
      text={onClear ? filteredText : text}
      action={
        onClear ? (
          <Button variant="default" onClick={onClear}>
            <Trans>Clear filters</Trans>
          </Button>
        ) : undefined
      }
    />
  );
}
