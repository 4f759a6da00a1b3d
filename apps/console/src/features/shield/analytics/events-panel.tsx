import { Trans, useLingui } from "@lingui/react/macro";
import { duration } from "@palisade/contract/texts/duration";
import type { Server } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { TextButton } from "#src/ui/text-button.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { mayOpen } from "../shield-rights.ts";
import classes from "./analytics.module.css";
import type { ChartMark } from "./chart/series.ts";

const shownMax = 6;

interface EventsPanelProps {
  readonly shield: Server;
  readonly marks: readonly ChartMark[];
}

/** The marks of the charts as a list: attacks, and changes of settings. */
export function EventsPanel({ shield, marks }: EventsPanelProps) {
  const { t } = useLingui();
  const [isWhole, setWhole] = useState(false);
  const rowCount = marks.length;
  const shown = isWhole ? marks : marks.slice(0, shownMax);
  return (
    <Panel
      title={t`Marks on the charts`}
      note={<Trans>Attacks are bands. Changes of settings are dotted lines.</Trans>}
    >
      {marks.length === 0 ? (
        <p className={classes["none"]}>
          <Trans>No attacks and no changes in this period.</Trans>
        </p>
      ) : (
        <ul className={classes["events"]} aria-label={t`Marks on the charts`}>
          {shown.map((mark) => (
            <Event key={mark.id} shield={shield} mark={mark} />
          ))}
        </ul>
      )}
      {marks.length > shownMax ? (
        <p className={classes["more"]}>
          <TextButton onClick={() => setWhole(!isWhole)}>
            {isWhole ? <Trans>Show fewer</Trans> : <Trans>Show all {rowCount}</Trans>}
          </TextButton>
        </p>
      ) : null}
    </Panel>
  );
}

function Event({ shield, mark }: { readonly shield: Server; readonly mark: ChartMark }) {
  const { locale } = useLocale();
  const { id, kind, startMs, endMs, text } = mark;
  return (
    <li data-kind={kind}>
      <span className={classes["eventText"]}>
        {kind === "attack" && mayOpen(shield, "attacks") ? (
          <Link
            to={paths.shield}
            params={{ shieldId: shield.id, section: "attacks" }}
            search={{ attack: id }}
          >
            {text}
          </Link>
        ) : (
          text
        )}
        {kind === "change" ? null : (
          <span className={classes["eventLength"]}>
            {endMs === null ? <Trans>ongoing</Trans> : duration(locale, endMs - startMs)}
          </span>
        )}
      </span>
      <RelativeTime at={new Date(startMs).toISOString()} />
    </li>
  );
}
