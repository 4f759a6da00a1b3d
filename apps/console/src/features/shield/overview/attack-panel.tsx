import { Trans, useLingui } from "@lingui/react/macro";
import type { Attack } from "@palisade/contract/http/attacks";
import type { AntibotState } from "@palisade/contract/http/servers";
import { IconShieldBolt } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { byFrequency } from "../mitigation/by-frequency.ts";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import { isOfDatagrams, usePeakFigures } from "../attack-peaks.ts";
import { useLevelLabels } from "../level-labels.ts";
import classes from "./attacks.module.css";
import { duration } from "@palisade/contract/texts/duration";
import { UnderAttack } from "./under-attack.tsx";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { useInterval } from "@mantine/hooks";

interface AttackPanelProps {
  readonly attack: Attack;
  readonly shieldId: string;
  readonly antibot: AntibotState;
}

/** The current attack. Screen readers announce the attack but not its changing numbers. */
export function AttackPanel({ attack, shieldId, antibot }: AttackPanelProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const now = useSeconds();
  const peaks = usePeakFigures(attack);
  const reasons = byFrequency(attack.refused);
  return (
    <Banner tone="attack" icon={<IconShieldBolt size={17} stroke={1.6} />}>
      <p role="status">
        {/* Datagrams are dropped whatever the settings. */}
        <UnderAttack shieldId={shieldId} antibot={isOfDatagrams(attack) ? "on" : antibot} />
      </p>
      <dl className={classes["figures"]}>
        <Figure name={t`Duration`}>
          {duration(locale, now.getTime() - Date.parse(attack.started_at))}
        </Figure>
        {peaks.map(({ name, value }) => (
          <Figure key={name} name={name}>
            {value}
          </Figure>
        ))}
        <Figure name={t`Source networks`}>{count(locale, attack.sources)}</Figure>
        <Figure name={t`Edges`}>{count(locale, attack.edges)}</Figure>
      </dl>
      {reasons.length === 0 ? null : (
        <ul className={classes["reasons"]} aria-label={t`Refused for`}>
          {reasons.map(({ reason, amount }) => (
            <li key={reason}>
              {i18n._(refusalLabels[reason])} <strong>{count(locale, amount)}</strong>
            </li>
          ))}
        </ul>
      )}
      <Relaxed level={attack.relaxed_to} />
      <p className={classes["details"]}>
        <Link
          to={paths.shield}
          params={{ shieldId, section: "attacks" }}
          search={{ attack: attack.id }}
        >
          <Trans>Course and sources of this attack</Trans>
        </Link>
      </p>
    </Banner>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Says that checks were relaxed because they had stopped known players. */
export function Relaxed({ level }: { level: Attack["relaxed_to"] }) {
  const labels = useLevelLabels();
  if (level === null) return null;
  const name = labels[level];
  return (
    <p className={classes["relaxed"]}>
      <Trans>AntiBot was relaxed to {name} because known players had failed its check.</Trans>
    </p>
  );
}

/** The current time, updated every second. */
function useSeconds(): Date {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), 1_000, { autoInvoke: true });
  return now;
}
