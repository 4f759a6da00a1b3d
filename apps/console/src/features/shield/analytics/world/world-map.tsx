import { Trans, useLingui } from "@lingui/react/macro";
import { useMemo, useState } from "react";
import { count } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { IntensityLegend } from "../intensity/intensity-legend.tsx";
import { intensityOf } from "../intensity/intensity.ts";
import intensity from "../intensity/intensity.module.css";
import { countryShapes, mapBox } from "./world-shapes.ts";
import classes from "./world-map.module.css";

export interface WorldMapProps {
  /** Joins by the two letters of the country. */
  readonly joins: ReadonlyMap<string, number>;
  readonly nameOf: (code: string) => string;
}

export function WorldMap({ joins, nameOf }: WorldMapProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const shapes = useMemo(() => countryShapes(), []);
  const [chosen, setChosen] = useState<string | null>(null);
  // Joins without a country have an empty code, too.
  const known = shapes.map(({ code }) => (code === "" ? 0 : (joins.get(code) ?? 0)));
  const most = Math.max(0, ...known);
  // The root lets small countries be seen beside large ones.
  return (
    <div>
      <svg
        className={`${classes["map"]} ${intensity["scaled"]}`}
        viewBox={`0 0 ${mapBox.width} ${mapBox.height}`}
        role="img"
        aria-label={t`World map of joins by country. The table has the same figures.`}
        // A finger leaves as soon as it is lifted.
        onPointerLeave={({ pointerType }) =>
          pointerType === "mouse" ? setChosen(null) : undefined
        }
      >
        {shapes.map(({ code, path }, index) => (
          <path
            key={code === "" ? index : code}
            d={path}
            data-country={code}
            data-intensity={intensityOf(Math.sqrt(known[index] ?? 0), Math.sqrt(most))}
            data-chosen={(code !== "" && code === chosen) || undefined}
            onPointerEnter={() => setChosen(code === "" ? null : code)}
          />
        ))}
      </svg>
      <div className={classes["caption"]}>
        <span>
          {chosen === null ? (
            <Trans>Point at a country, or touch it, to read its joins.</Trans>
          ) : (
            `${nameOf(chosen)}: ${count(locale, joins.get(chosen) ?? 0)}`
          )}
        </span>
        <IntensityLegend />
      </div>
      <p className={classes["note"]}>
        <Trans>
          Borders follow Natural Earth, which shows who controls an area. They take no side in
          disputes.
        </Trans>
      </p>
    </div>
  );
}
