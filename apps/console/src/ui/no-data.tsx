import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { EmptyState } from "./empty-state.tsx";

interface NoDataProps {
  readonly icon: ReactNode;
  /** Describes the future content. */
  readonly text: ReactNode;
  /** Replaces `text` while filters are set. */
  readonly filteredText: ReactNode;
  /** Clears the filters; undefined if none is set. */
  readonly onClear: (() => void) | undefined;
}

/** An empty list: either no entries yet, or none that match the filters. */
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
