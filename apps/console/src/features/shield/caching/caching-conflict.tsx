import { Button } from "@mantine/core";
import { Trans } from "@lingui/react/macro";
import { IconGitMerge } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./caching.module.css";

interface CachingConflictProps {
  readonly wanted: boolean;
  readonly onApply: () => void;
  readonly onKeep: () => void;
}

/** Another user changed the setting first. */
export function CachingConflict({ wanted, onApply, onKeep }: CachingConflictProps) {
  return (
    <div className={classes["conflict"]}>
      <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
        <p>
          <strong>
            <Trans>Another user changed this in the meantime.</Trans>
          </strong>{" "}
          <Trans>Your change was not saved. The page now shows their settings.</Trans>
        </p>
        <div className={classes["decide"]}>
          <Button size="compact-sm" onClick={onApply}>
            {wanted ? <Trans>Turn on anyway</Trans> : <Trans>Turn off anyway</Trans>}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onKeep}>
            <Trans>Keep theirs</Trans>
          </Button>
        </div>
      </Banner>
    </div>
  );
}
