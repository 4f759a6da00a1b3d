/** Colours of series; `previous` is the period before. */
export type SeriesColour =
  | "accent"
  | "protected"
  | "attack"
  | "danger"
  | "violet"
  | "cyan"
  | "pink"
  | "neutral"
  | "previous";

/** One line or area of a chart. `null` is a gap: no edge reported. */
export interface ChartSeries {
  /** Names the series in the address. */
  readonly id: string;
  readonly label: string;
  readonly colour: SeriesColour;
  readonly values: readonly (number | null)[];
  /** Shown beside the label while no time is chosen, such as a total. */
  readonly total?: string | undefined;
}

/** An event of the period: attacks are bands, changes of settings are lines. */
export interface ChartMark {
  readonly id: string;
  readonly kind: "attack" | "change";
  readonly startMs: number;
  /** Null for a change, and for an attack that lasts. */
  readonly endMs: number | null;
  readonly text: string;
}

/** The times that all charts of the page share, in milliseconds, oldest first. */
export type ChartTimes = readonly number[];
