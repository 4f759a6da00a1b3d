import { Switch } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import classes from "./overview.module.css";
import { toggleBar } from "./renewal-outlook.ts";
import { useRenewalToggles, type RenewalToggle } from "./use-renewal-toggles.ts";

interface RenewalTogglesProps {
  readonly shield: Server;
  readonly overview: ServerOverview;
}

export function RenewalToggles({ shield, overview }: RenewalTogglesProps) {
  const { t } = useLingui();
  const { toggle, isLocked, shown } = useRenewalToggles(shield.id);
  const bar = toggleBar(overview.status, shield.role);
  const owners = t`Only the owner can change this`;
  const toggles: { name: RenewalToggle; label: string; text: string; inactive: string }[] = [
    {
      name: "automatic_renewal",
      label: t`Automatic renewal`,
      text: t`Pays for the next month a day before this one ends.`,
      inactive: t`Server must be active to change renewal settings`,
    },
    {
      name: "include_balance",
      label: t`Include account balance`,
      text: t`Lets the account balance pay where no card does.`,
      inactive: t`Server must be active to change balance settings`,
    },
  ];
  return (
    <ul className={classes["toggles"]}>
      {toggles.map(({ name, label, text, inactive }) => (
        <li key={name}>
          <Switch
            label={label}
            description={bar === null ? text : bar === "status" ? inactive : owners}
            labelPosition="left"
            withThumbIndicator={false}
            checked={shown(name, overview)}
            disabled={bar !== null || isLocked(name)}
            onChange={({ currentTarget }) => toggle({ name, enabled: currentTarget.checked })}
            classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
          />
        </li>
      ))}
    </ul>
  );
}
