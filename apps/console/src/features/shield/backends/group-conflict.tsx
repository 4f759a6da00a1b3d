import { Trans, useLingui } from "@lingui/react/macro";
import type { BackendGroup } from "@palisade/contract/http/backends";
import { IconGitMerge } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./backends.module.css";
import type { GroupDiff, GroupField } from "./group-diff.ts";
import { balancingLabels, gameLabels } from "./labels.ts";

/** Lists another user's changes while this user's entries stay in the fields. */
export function GroupConflict({ diff, now }: { diff: GroupDiff; now: BackendGroup }) {
  const { t, i18n } = useLingui();
  const onOff = (is: boolean) => (is ? t`On` : t`Off`);
  const rows: Record<GroupField, readonly [string, string]> = {
    name: [t`Name`, now.name],
    game: [t`Game`, i18n._(gameLabels[now.game])],
    region: [t`Region`, now.region_name],
    load_balancing: [t`Load balancing`, i18n._(balancingLabels[now.load_balancing])],
    proxy_protocol: [t`PROXY protocol`, onOff(now.proxy_protocol)],
    default: [t`Default group`, onOff(now.default)],
  };
  return (
    <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
      <p>
        <strong>
          <Trans>Another user changed this in the meantime.</Trans>
        </strong>{" "}
        <Trans>Nothing was saved; what you typed is still in the form. They changed:</Trans>
      </p>
      <ul className={classes["diff"]}>
        {diff.fields.map((name) => (
          <li key={name}>
            {rows[name][0]}: <strong>{rows[name][1]}</strong>
          </li>
        ))}
        {diff.added.map((address) => (
          <li key={`+${address}`}>
            <Trans>Server</Trans>: + <span className="mono">{address}</span>
          </li>
        ))}
        {diff.removed.map((address) => (
          <li key={`-${address}`}>
            <Trans>Server</Trans>: − <span className="mono">{address}</span>
          </li>
        ))}
      </ul>
      <p>
        <Trans>Save again to replace the fields you changed.</Trans>
      </p>
    </Banner>
  );
}
