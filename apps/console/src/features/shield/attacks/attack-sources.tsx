import { Trans, useLingui } from "@lingui/react/macro";
import type { AttackPage } from "@palisade/contract/http/attacks";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./attack.module.css";
import { BarList } from "./bar-list.tsx";

/** The most frequent networks and addresses. */
export function AttackSources({ attack }: { attack: AttackPage }) {
  const { t } = useLingui();
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
          rows={attack.networks.map(({ network, logins, country }) => ({
            name: country === null ? network : `${network} ${country}`,
            amount: logins,
          }))}
        />
      </Panel>
      <Panel title={<Trans>Most frequent addresses</Trans>} note={note}>
        <BarList
          mono
          label={t`Most frequent addresses`}
          empty={t`No address was frequent.`}
          rows={attack.addresses.map(({ address, logins, country }) => ({
            name: country === null ? address : `${address} ${country}`,
            amount: logins,
          }))}
        />
      </Panel>
    </div>
  );
}
