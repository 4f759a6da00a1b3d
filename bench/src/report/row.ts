/** What has to hold of a figure; `limit` in the row's own unit, or of the ratio. */
export interface Aim {
  readonly of: "value" | "ratio";
  readonly is: "at most" | "at least" | "under";
  readonly limit: number;
}

/** One line of the table. */
export interface Row {
  readonly benchmark: string;
  readonly measure: string;
  readonly unit: string;
  /** Undefined where it could not be measured; `note` says why. */
  readonly value?: number | undefined;
  /** The same of the others in the same run, by their names. */
  readonly others?: Readonly<Record<string, number>>;
  /** To which of the others the ratio is, as a median of the rounds' own ratios. */
  readonly ratio?: { readonly to: string; readonly value: number };
  readonly aim?: Aim;
  readonly note?: string;
}

export function aimText({ of, is, limit }: Aim): string {
  const sign = { "at most": "≤", "at least": "≥", under: "<" }[is];
  return `${of === "ratio" ? "ratio " : ""}${sign} ${limit}`;
}

/** Undefined where there is no aim; not met where there is no figure. */
export function isMet(row: Row): boolean | undefined {
  if (row.aim === undefined) return undefined;
  const figure = row.aim.of === "ratio" ? row.ratio?.value : row.value;
  if (figure === undefined || Number.isNaN(figure)) return false;
  if (row.aim.is === "at least") return figure >= row.aim.limit;
  return row.aim.is === "under" ? figure < row.aim.limit : figure <= row.aim.limit;
}
