import { Trans, useLingui } from "@lingui/react/macro";
import type { AttackPage } from "@palisade/contract/http/attacks";
import { useLocale } from "#src/lib/preferences.ts";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import { ScrollRegion } from "#src/ui/scroll-region.tsx";
import { Table } from "#src/ui/table.tsx";
import { refusalLabels } from "../mitigation/refusal-labels.ts";
import classes from "./attack.module.css";
import { timeOfDay } from "./course-times.ts";

const seconds = { from: "", step_seconds: 1 };

/** Some of the logins of its time; under a flood edges log a sample. */
export function AttackSample({ shieldId, attack }: { shieldId: string; attack: AttackPage }) {
  const { sample, started_at: from, ended_at: end } = attack;
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const outcomes = { joined: t`Joined`, verified: t`Verified`, left: t`Left` };
  const outcomeOf = (verdict: AttackPage["sample"][number]["verdict"]): string =>
    verdict === "joined" || verdict === "verified" || verdict === "left"
      ? outcomes[verdict]
      : i18n._(refusalLabels[verdict]);
  return (
    <Panel
      title={<Trans>Logins of its time</Trans>}
      note={<Trans>The newest of those that were logged: a sample during a flood.</Trans>}
      aside={
        <Link
          to={paths.shield}
          params={{ shieldId, section: "logs" }}
          search={{ from, ...(end !== null && { to: end }) }}
        >
          <Trans>All in the log</Trans>
        </Link>
      }
    >
      {sample.length === 0 ? (
        <p className={classes["none"]}>
          <Trans>No login of this time is in the log any more.</Trans>
        </p>
      ) : (
        <ScrollRegion className={classes["scroll"]} label={t`Logins`}>
          <Table
            dense
            label={t`Logins`}
            columns={[
              { key: "time", name: <Trans>Time</Trans> },
              { key: "player", name: <Trans>Player</Trans> },
              { key: "address", name: <Trans>Address</Trans> },
              { key: "verdict", name: <Trans>Outcome</Trans> },
              { key: "trace", name: <Trans>Trace code</Trans> },
            ]}
          >
            {sample.map((row) => (
              <tr key={row.id}>
                <td>
                  <time dateTime={row.at}>{timeOfDay(locale, new Date(row.at), seconds)}</time>
                </td>
                <td className={classes["mono"]}>{row.player}</td>
                <td className={classes["mono"]}>{row.ip}</td>
                <td>{outcomeOf(row.verdict)}</td>
                <td className={classes["mono"]}>{row.trace}</td>
              </tr>
            ))}
          </Table>
        </ScrollRegion>
      )}
    </Panel>
  );
}
