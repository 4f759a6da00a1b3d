import { brokenArea, brokenLine, gapsOf, maxOf, stacked, valueAxis } from "./chart-geometry.ts";
import type { Values, ValueAxis } from "./chart-geometry.ts";
import type { ChartSeries, SeriesColour } from "./series.ts";

/** A chart as paths, which the page and the picture draw alike. */
export interface Drawing {
  readonly axis: ValueAxis;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  readonly shapes: readonly Shape[];
}

export interface Shape {
  readonly id: string;
  readonly colour: SeriesColour;
  /** Null for a line without an area. */
  readonly area: string | null;
  readonly line: string;
}

export const plotWidth = 1000;

interface Drawn {
  readonly series: readonly ChartSeries[];
  /** Ids of the series that are switched off. */
  readonly hidden: ReadonlySet<string>;
  readonly isStacked: boolean;
  readonly isWhole: boolean;
  readonly height: number;
}

/** The period before is a line of its own, above what is stacked. */
export function drawingOf({ series, hidden, isStacked, isWhole, height }: Drawn): Drawing {
  const shown = series.filter(({ id }) => !hidden.has(id));
  const own = shown.filter(({ colour }) => colour !== "previous");
  const before = shown.filter(({ colour }) => colour === "previous");
  const box = { width: plotWidth, height };
  const ownValues = own.map(({ values }) => values);
  const drawn: readonly Values[] = isStacked ? stacked(ownValues) : ownValues;
  const axis = valueAxis(maxOf([...drawn, ...before.map(({ values }) => values)]), isWhole);
  const shapes = own.map(({ id, colour }, index) => {
    const upper = drawn[index] ?? [];
    const lower = isStacked ? (drawn[index - 1] ?? null) : null;
    const hasArea = isStacked || own.length <= 3;
    const area = hasArea ? brokenArea(upper, lower, axis.top, box) : null;
    return { id, colour, area, line: brokenLine(upper, axis.top, box) };
  });
  const lines = before.map(({ id, colour, values }) => ({
    id,
    colour,
    area: null,
    line: brokenLine(values, axis.top, box),
  }));
  return {
    axis,
    gaps: gapsOf(series.filter(({ colour }) => colour !== "previous").map((each) => each.values)),
    shapes: [...lines, ...shapes],
  };
}
