import { Trans, useLingui } from "@lingui/react/macro";
import type { AttackPage } from "@palisade/contract/http/attacks";
import type { Server } from "@palisade/contract/http/servers";
import { IconBan } from "@tabler/icons-react";
import { IconButton } from "#src/ui/icon-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { BlockDialog } from "../block/block-dialog.tsx";
import { useBlock } from "../block/use-block.ts";
import type { Change } from "../receipt.tsx";
import { mayBlockAddresses } from "../shield-rights.ts";
import classes from "./attack.module.css";
import { BarList } from "./bar-list.tsx";

interface AttackSourcesProps {
  readonly shield: Server;
  readonly attack: AttackPage;
  readonly onChange: (change: Change) => void;
}

/** The most frequent networks and addresses, each with a button that blocks it. */
export function AttackSources({ shield, attack, onChange }: AttackSourcesProps) {
  const { t } = useLingui();
  const block = useBlock(shield.id, onChange);
  const mayBlock = mayBlockAddresses(shield) && !attack.addresses_masked;
  const rowOf = (
    source: string,
    { logins, country }: Pick<AttackPage["addresses"][number], "logins" | "country">,
  ) => ({
    name: country === null ? source : `${source} ${country}`,
    amount: logins,
    action: mayBlock ? (
      <BlockButton source={source} onClick={() => block.list({ type: "blacklist", ip: source })} />
    ) : null,
  });
  const note = attack.addresses_masked ? (
    <Trans>Your role does not include addresses, so they are shortened.</Trans>
  ) : (
    <Trans>At least so many logins came from each.</Trans>
  );
  return (
    <div className={classes["pair"]}>
      <Panel title={<Trans>Most frequent networks</Trans>} note={note}>
        <BarList
          mono
          label={t`Most frequent networks`}
          empty={t`No network was frequent.`}
          rows={attack.networks.map((each) => rowOf(each.network, each))}
        />
      </Panel>
      <Panel title={<Trans>Most frequent addresses</Trans>} note={note}>
        <BarList
          mono
          label={t`Most frequent addresses`}
          empty={t`No address was frequent.`}
          rows={attack.addresses.map((each) => rowOf(each.address, each))}
        />
      </Panel>
      <BlockDialog block={block} />
    </div>
  );
}

function BlockButton({ source, onClick }: { source: string; onClick: () => void }) {
  const { t } = useLingui();
  return (
    <IconButton
      hint={t`Block in the firewall`}
      label={t`Block ${source} in the firewall`}
      icon={<IconBan size={16} stroke={1.6} />}
      size={26}
      onClick={onClick}
    />
  );
}
