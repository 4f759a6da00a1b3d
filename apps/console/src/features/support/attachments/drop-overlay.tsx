import { Trans } from "@lingui/react/macro";
import { IconUpload } from "@tabler/icons-react";
import classes from "./attachments.module.css";

/** Covers the page while files are held over it. */
export function DropOverlay({ shown }: { shown: boolean }) {
  if (!shown) return null;
  return (
    <div className={classes["overlay"]} aria-hidden="true">
      <span>
        <IconUpload size={22} stroke={1.6} />
        <Trans>Drop the files to attach them</Trans>
      </span>
    </div>
  );
}
