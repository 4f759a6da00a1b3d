import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconGitMerge } from "@tabler/icons-react";
import { useEffect, useRef, type ReactNode } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./shared-form.module.css";
import type { SharedForm } from "./use-shared-form.ts";

interface SharedFormFooterProps {
  readonly use: Pick<
    SharedForm<unknown, Record<string, unknown>>,
    "read" | "isDirty" | "readOnly" | "isSaving" | "keepTheirs"
  > & { readonly keepMine: () => void };
  /** A list of what others have saved, where it has to be decided. */
  readonly theirs: ReactNode;
  readonly note: ReactNode;
}

/** Save, and above it the decision between what is typed here and what others have saved. */
export function SharedFormFooter({ use, theirs, note }: SharedFormFooterProps) {
  return (
    <>
      {theirs ? (
        <Conflict key={use.read.etag} use={use}>
          {theirs}
        </Conflict>
      ) : null}
      <div className={classes["save"]}>
        <p className="dim">{note}</p>
        <ActionButton
          type="submit"
          disabled={use.readOnly || !use.isDirty || Boolean(theirs)}
          loading={use.isSaving}
        >
          <Trans>Save</Trans>
        </ActionButton>
      </div>
    </>
  );
}

/**
 * What they changed, while what was changed here is still in the form. It stands where Save was
 * pressed and takes the focus: it has to be read before anything is replaced.
 */
function Conflict({ use, children }: Pick<SharedFormFooterProps, "use"> & { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={classes["conflict"]}>
      <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
        <p>
          <strong>
            <Trans>Somebody else changed this in the meantime.</Trans>
          </strong>{" "}
          <Trans>Nothing was saved; your changes are still in the form. They saved:</Trans>
        </p>
        {children}
        <div className={classes["decide"]}>
          <ActionButton size="compact-sm" loading={use.isSaving} onClick={() => use.keepMine()}>
            <Trans>Keep mine</Trans>
          </ActionButton>
          <Button size="compact-sm" variant="default" onClick={use.keepTheirs}>
            <Trans>Keep theirs</Trans>
          </Button>
        </div>
      </Banner>
    </div>
  );
}
