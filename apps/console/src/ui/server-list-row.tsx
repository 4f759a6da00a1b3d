import { useLingui } from "@lingui/react/macro";
import { MinecraftText } from "./minecraft-text.tsx";
import { PngImage } from "./png-image.tsx";
import classes from "./server-list-row.module.css";

export interface ShownStatus {
  readonly motd: readonly string[];
  readonly version: string;
  readonly players_online: number;
  readonly players_max: number;
  /** `data:image/png` URI. */
  readonly favicon: string | null;
}

interface ServerListRowProps {
  readonly name: string;
  /** Null while unknown: the row keeps its size. */
  readonly status: ShownStatus | null;
  readonly latencyMs: number | null;
  readonly waiting?: boolean;
  /** Shows the version text in red in place of the player count, as for an incompatible version. */
  readonly unreachable?: boolean;
}

/** A server as in the game's own list, with the game's colours in both themes. */
export function ServerListRow(props: ServerListRowProps) {
  const { name, status, latencyMs, waiting, unreachable = false } = props;
  const { t } = useLingui();
  return (
    <div className={classes["row"]} data-waiting={waiting || undefined}>
      <Favicon uri={status?.favicon ?? null} known={status !== null} />
      <div className={classes["lines"]}>
        <div className={classes["first"]}>
          <span className={classes["name"]}>{name}</span>
          <span className={classes["players"]}>
            <PlayerCount status={status} unreachable={unreachable} />
            <Bars
              latencyMs={status === null ? null : latencyMs}
              crossed={unreachable}
              label={latencyMs === null ? t`no answer` : `${latencyMs} ms`}
            />
          </span>
        </div>
        <div className={classes["motd"]}>
          {status === null ? (
            [0, 1].map((line) => <div key={line} className={classes["motdLine"]} />)
          ) : (
            <MinecraftText text={status.motd.slice(0, 2).join("\n")} />
          )}
        </div>
      </div>
    </div>
  );
}

function PlayerCount({
  status,
  unreachable,
}: {
  status: ShownStatus | null;
  unreachable: boolean;
}) {
  if (status === null) return null;
  if (!unreachable) return `${status.players_online}/${status.players_max}`;
  return (
    <span className={classes["version"]}>
      <MinecraftText text={status.version} />
    </span>
  );
}

function Favicon({ uri, known }: { uri: string | null; known: boolean }) {
  if (uri !== null) return <PngImage uri={uri} className={classes["icon"]} />;
  return <span className={classes["icon"]} data-known={known || undefined} />;
}

interface BarsProps {
  readonly latencyMs: number | null;
  readonly crossed: boolean;
  readonly label: string;
}

/** Fewer bars for a higher latency, with the game's own bounds. */
function Bars({ latencyMs, crossed, label }: BarsProps) {
  const lit =
    latencyMs === null ? 0 : [1000, 600, 300, 150].filter((max) => latencyMs < max).length + 1;
  return (
    <svg className={classes["bars"]} viewBox="0 0 19 12" width={19} height={12} role="img">
      <title>{label}</title>
      {[0, 1, 2, 3, 4].map((bar) => (
        <rect
          key={bar}
          x={bar * 4}
          y={8 - bar * 2}
          width={3}
          height={4 + bar * 2}
          data-lit={bar < lit || undefined}
        />
      ))}
      {crossed ? <path d="M5 3l8 8m0-8l-8 8" /> : null}
    </svg>
  );
}
