/** The goal of a value; `limit` is in the row's unit, or a ratio. */
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
  /** Undefined when it could not be measured; `note` says why. */
  readonly value?: number | undefined;
  /** The values of the other servers in the same run, by name. */
  readonly others?: Readonly<Record<string, number>>;
  /** Ratio to one of the others: the median of each round's ratio. */
  readonly ratio?: { readonly to: string; readonly value: number };
  readonly aim?: Aim;
  readonly note?: string;
}

export function aimText({ of, is, limit }: Aim): string {
  const sign = { "at most": "≤", "at least": "≥", under: "<" }[is];
  return `${of === "ratio" ? "ratio " : ""}${sign} ${limit}`;
}

/** Undefined without an aim; false without a value. */
export function isMet(row: Row): boolean | undefined {
  if (row.aim === undefined) return undefined;
  const value = row.aim.of === "ratio" ? row.ratio?.value : row.value;
  if (value === undefined || Number.isNaN(value)) return false;
  if (row.aim.is === "at least") return value >= row.aim.limit;
  return row.aim.is === "under" ? value < row.aim.limit : value <= row.aim.limit;
}
