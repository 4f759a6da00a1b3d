import { Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Firewall } from "@palisade/contract/http/firewall";
import { Panel } from "#src/ui/panel.tsx";
import { useMayChange } from "../may-change.ts";
import type { ToggleName } from "./firewall-diff.ts";
import { useToggleLabels } from "./toggle-labels.ts";
import classes from "./firewall.module.css";

interface TogglesPanelProps {
  readonly firewall: Firewall;
  readonly locked: ReadonlySet<ToggleName>;
  readonly onToggle: (wish: { name: ToggleName; enabled: boolean }) => void;
}

export function TogglesPanel({ firewall, locked, onToggle }: TogglesPanelProps) {
  const { t } = useLingui();
  const labels = useToggleLabels();
  const mayChange = useMayChange();
  const toggles: { name: ToggleName; text: string }[] = [
    {
      name: "ip_blacklist_enabled",
      text: t`Addresses and players on the blacklist are blocked at the edge.`,
    },
    {
      name: "ip_whitelist_enabled",
      text: t`Addresses and players on the whitelist are excluded from bot checks.`,
    },
    {
      name: "whitelist_only",
      text: t`Maintenance mode: players who are not on the whitelist are kicked with your message.`,
    },
  ];
  return (
    <Panel prominent title={<Trans>Firewall</Trans>}>
      <ul className={classes["toggles"]}>
        {toggles.map(({ name, text }) => (
          <li key={name}>
            <Switch
              label={labels[name]}
              description={text}
              labelPosition="left"
              withThumbIndicator={false}
              checked={firewall[name] ?? false}
              disabled={locked.has(name) || !mayChange}
              onChange={({ currentTarget }) => onToggle({ name, enabled: currentTarget.checked })}
              classNames={{ body: classes["toggle"] ?? "", labelWrapper: classes["label"] ?? "" }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
