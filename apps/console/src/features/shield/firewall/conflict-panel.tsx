import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconGitMerge } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./firewall.module.css";
import { useToggleLabels } from "./toggle-labels.ts";
import type { ToggleConflict } from "./use-toggles.ts";

interface ConflictPanelProps {
  readonly conflict: ToggleConflict;
  readonly onKeep: () => void;
  readonly onApply: () => void;
}

const entriesShown = 8;

/** Shows another user's changes before anything is overwritten. */
export function ConflictPanel({ conflict, onKeep, onApply }: ConflictPanelProps) {
  const { t } = useLingui();
  const labels = useToggleLabels();
  const { diff, change: wish } = conflict;
  const state = (on: boolean) => (on ? t`on` : t`off`);
  const hidden = diff.entries.length - entriesShown;
  const mine = labels[wish.name];
  const wanted = state(wish.enabled);

  return (
    <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
      <p>
        <strong>
          <Trans>Another user changed this in the meantime.</Trans>
        </strong>{" "}
        <Trans>Your change was not saved. The page now shows their settings:</Trans>
      </p>
      <ul className={classes["diff"]}>
        {diff.toggles.map(({ name, now }) => (
          <li key={name}>
            {labels[name]}: {state(!now)} → <strong>{state(now)}</strong>
          </li>
        ))}
        {diff.entries.slice(0, entriesShown).map(({ list, ip, added }) => (
          <li key={`${list} ${ip} ${added}`}>
            {list === "blacklist" ? t`Blacklist` : t`Whitelist`}: {added ? "+" : "−"}{" "}
            <span className="mono">{ip}</span>
          </li>
        ))}
        {hidden > 0 ? (
          <li>
            <Trans>and {hidden} more</Trans>
          </li>
        ) : null}
      </ul>
      <div className={classes["decide"]}>
        <Button size="compact-sm" onClick={onApply}>
          <Trans>
            Set {mine} to {wanted} anyway
          </Trans>
        </Button>
        <Button size="compact-sm" variant="default" onClick={onKeep}>
          <Trans>Keep theirs</Trans>
        </Button>
      </div>
    </Banner>
  );
}
