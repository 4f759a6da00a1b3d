import { useEffect, useRef } from "react";
import { useLingui } from "@lingui/react/macro";
import { blobUrlOf } from "#src/lib/data-uri.ts";
import { MinecraftText } from "./minecraft-text.tsx";
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
  /** Null while nothing is known: the row keeps its size. */
  readonly status: ShownStatus | null;
  readonly latencyMs: number | null;
  readonly waiting?: boolean;
}

/** A server as the game's own list shows it, on the game's ground in both themes. */
export function ServerListRow({ name, status, latencyMs, waiting }: ServerListRowProps) {
  const { t } = useLingui();
  return (
    <div className={classes["row"]} data-waiting={waiting || undefined}>
      <Favicon uri={status?.favicon ?? null} known={status !== null} />
      <div className={classes["lines"]}>
        <div className={classes["first"]}>
          <span className={classes["name"]}>{name}</span>
          <span className={classes["players"]}>
            {status === null ? null : `${status.players_online}/${status.players_max}`}
            <Bars
              latencyMs={status === null ? null : latencyMs}
              label={latencyMs === null ? t`no answer` : `${latencyMs} ms`}
            />
          </span>
        </div>
        <div className={classes["motd"]}>
          {[0, 1].map((line) => (
            <div key={line} className={classes["motdLine"]}>
              <MinecraftText text={status?.motd[line] ?? ""} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The content policy lets no data: picture in, so it becomes a blob of this page. */
function Favicon({ uri, known }: { uri: string | null; known: boolean }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = uri === null ? null : blobUrlOf(uri);
    if (url === null || image.current === null) return undefined;
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [uri]);
  if (uri === null) return <span className={classes["icon"]} data-known={known || undefined} />;
  return <img ref={image} className={classes["icon"]} alt="" />;
}

/** Fewer bars the longer the way, at the bounds the game uses. */
function Bars({ latencyMs, label }: { latencyMs: number | null; label: string }) {
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
    </svg>
  );
}
