import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { isPlayerName } from "@palisade/contract/http/firewall";
import type { LogEntry } from "@palisade/contract/http/logs";
import {
  IconBan,
  IconEraser,
  IconFilter,
  IconNetwork,
  IconShieldCheck,
  IconUserCheck,
  IconUserX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { fullTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { IconButton } from "#src/ui/icon-button.tsx";
import type { ListedEntry } from "../block/use-block.ts";
import { challengeLabels } from "../mitigation/challenge-labels.ts";
import { editionLabels } from "./edition-labels.ts";
import classes from "./logs.module.css";
import type { LogSearch } from "./logs-search.ts";
import { networkOf } from "./network-of.ts";
import { Suspicion } from "./suspicion.tsx";

interface LogDetailsProps {
  readonly entry: LogEntry;
  /** False: addresses are shortened, and nothing can be done with them. */
  readonly seesAddresses: boolean;
  readonly onFilter: (filter: LogSearch) => void;
  /** Undefined: the person may not change the firewall. */
  readonly onList: ((listed: ListedEntry) => void) | undefined;
  /** Undefined: only the owner erases. */
  readonly onErase: ((player: string) => void) | undefined;
}

const icon = { size: 16, stroke: 1.6 } as const;

/** Everything about one login, and what can be done about it. */
export function LogDetails({ entry, seesAddresses, ...act }: LogDetailsProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const { onFilter, onList, onErase } = act;
  const { ip, player, host, country, network, trace } = entry;
  const edition = i18n._(editionLabels[entry.edition]);
  return (
    <div className={classes["details"]}>
      <p className={classes["reason"]}>
        {entry.shadow ? <Trans>Shadow mode let this player in. Without it:</Trans> : null}{" "}
        {entry.reason}
      </p>
      <dl className={classes["facts"]}>
        <Fact name={t`Time`}>{fullTime(locale, new Date(entry.at))}</Fact>
        <Fact name={t`Trace code`}>
          <span className="mono">{trace}</span>
          <CopyButton value={trace} label={t`Copy trace code`} />
        </Fact>
        <Fact name={t`Player`}>
          {player === "" ? "–" : player}
          {player === "" ? null : (
            <FilterButton label={t`Show only ${player}`} onClick={() => onFilter({ player })} />
          )}
        </Fact>
        <Fact name={t`Address`}>
          <span className="mono">{ip}</span>
          {seesAddresses ? (
            <>
              <CopyButton value={ip} label={t`Copy address`} />
              <FilterButton label={t`Show only ${ip}`} onClick={() => onFilter({ ip })} />
            </>
          ) : null}
        </Fact>
        {network === null ? null : (
          <Fact name={t`Network`}>
            {network.name} <span className="dim">AS{network.asn}</span>
          </Fact>
        )}
        {country === null ? null : (
          <Fact name={t`Country`}>
            {countryName(locale, country)}
            <FilterButton label={t`Show only ${country}`} onClick={() => onFilter({ country })} />
          </Fact>
        )}
        <Fact name={t`Domain`}>
          {host === "" ? "–" : host}
          {host === "" ? null : (
            <FilterButton label={t`Show only ${host}`} onClick={() => onFilter({ host })} />
          )}
        </Fact>
        <Fact name={t`Edition`}>
          {edition}
          <FilterButton
            label={t`Show only ${edition}`}
            onClick={() => onFilter({ edition: entry.edition })}
          />
        </Fact>
        <Fact name={t`Version`}>
          {entry.version ?? <Trans>Unknown</Trans>}{" "}
          <span className="dim">
            <Trans>protocol {entry.protocol}</Trans>
          </span>
        </Fact>
        <Fact name={t`Edge`}>{entry.edge === "" ? "–" : entry.edge}</Fact>
        {entry.would_challenge === null ? null : (
          <Fact name={t`Would have been checked by`}>
            {i18n._(challengeLabels[entry.would_challenge])}
          </Fact>
        )}
        {otherFacts(entry).map(([name, value]) => (
          <Fact key={name} name={name.replaceAll("_", " ")}>
            {value}
          </Fact>
        ))}
      </dl>
      {entry.suspicion === null ? null : <Suspicion {...entry.suspicion} />}
      <Actions
        ip={seesAddresses ? ip : undefined}
        player={player}
        onList={onList}
        onErase={onErase}
      />
    </div>
  );
}

/** The edition and the protocol of a player of Bedrock are shown above. */
function otherFacts({ edition, facts }: LogEntry): [string, string][] {
  const shown = edition === "bedrock" ? ["edition", "protocol"] : [];
  return Object.entries(facts).filter(([name]) => !shown.includes(name));
}

interface ListAction extends ListedEntry {
  readonly label: string;
  readonly icon: ReactNode;
}

interface ActionsProps extends Pick<LogDetailsProps, "onList" | "onErase"> {
  readonly ip: string | undefined;
  readonly player: string;
}

function Actions({ ip, player, onList, onErase }: ActionsProps) {
  const { t } = useLingui();
  const network = ip === undefined ? "" : networkOf(ip);
  const ofAddress: readonly ListAction[] =
    ip === undefined
      ? []
      : [
          { label: t`Block address`, icon: <IconBan {...icon} />, type: "blacklist", ip },
          {
            label: t`Block ${network}`,
            icon: <IconNetwork {...icon} />,
            type: "blacklist",
            ip: network,
          },
          { label: t`Allow address`, icon: <IconShieldCheck {...icon} />, type: "whitelist", ip },
        ];
  const ofName: readonly ListAction[] = isPlayerName(player)
    ? [
        { label: t`Block name`, icon: <IconUserX {...icon} />, type: "blacklist", ip: player },
        { label: t`Allow name`, icon: <IconUserCheck {...icon} />, type: "whitelist", ip: player },
      ]
    : [];
  const actions = onList === undefined ? [] : [...ofAddress, ...ofName];
  const mayErase = onErase !== undefined && player !== "";
  if (actions.length === 0 && !mayErase) return null;
  return (
    <div className={classes["actions"]}>
      {actions.map(({ label, icon: leftSection, ...listed }) => (
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          leftSection={leftSection}
          onClick={() => onList?.(listed)}
        >
          {label}
        </Button>
      ))}
      {mayErase ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconEraser {...icon} />}
          onClick={() => onErase(player)}
        >
          <Trans>Erase player</Trans>
        </Button>
      ) : null}
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function FilterButton({
  label,
  onClick,
}: {
  readonly label: string;
  readonly onClick: () => void;
}) {
  return (
    <IconButton
      size={26}
      hint={label}
      label={label}
      icon={<IconFilter size={15} stroke={1.6} />}
      onClick={onClick}
    />
  );
}

export function countryName(locale: string, code: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}
