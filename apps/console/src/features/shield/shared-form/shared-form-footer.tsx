import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconGitMerge } from "@tabler/icons-react";
import { useEffect, useRef, type ReactNode } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./shared-form.module.css";
import type { SharedForm } from "./use-shared-form.ts";

interface SharedFormFooterProps {
  readonly use: Pick<
    SharedForm<unknown, Record<string, unknown>>,
    "read" | "isDirty" | "readOnly" | "isSaving" | "keepTheirs"
  > & { readonly keepMine: () => void };
  /** The other user's conflicting values; null without a conflict. */
  readonly theirs: ReactNode;
  readonly note: ReactNode;
  /** A button beside Save. */
  readonly beside?: ReactNode;
}

/** The Save button, and above it the choice between own and other users' changes. */
export function SharedFormFooter({ use, theirs, note, beside }: SharedFormFooterProps) {
  const mayChange = useMayChange();
  if (!mayChange) return null;
  return (
    <>
      {theirs ? (
        <Conflict key={use.read.etag} use={use}>
          {theirs}
        </Conflict>
      ) : null}
      <div className={classes["save"]}>
        <p className="dim">{note}</p>
        <div className={classes["buttons"]}>
          {beside}
          <ActionButton
            type="submit"
            disabled={use.readOnly || !use.isDirty || Boolean(theirs)}
            loading={use.isSaving}
          >
            <Trans>Save</Trans>
          </ActionButton>
        </div>
      </div>
    </>
  );
}

/**
 * The other user's changes; the form keeps this user's. It appears at the Save button and takes the
 * focus, so that it is read before anything is replaced.
 */
function Conflict({ use, children }: Pick<SharedFormFooterProps, "use"> & { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={classes["conflict"]}>
      <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
        <p>
          <strong>
            <Trans>Another user changed this in the meantime.</Trans>
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
