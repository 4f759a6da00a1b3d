import { oneOf } from "#src/lib/search-params.ts";

const modes = { on: true } as const;
const editions = { java: true, bedrock: true } as const;
/** A word in an address; one of digits alone arrives as a number. */
function word(lengthMax: number): (value: unknown) => string | undefined {
  return (value) => {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string") return undefined;
    const tidy = text.trim();
    return /^[\x20-\x7e]+$/.test(tidy) && tidy.length <= lengthMax ? tidy : undefined;
  };
}

function time(value: unknown): string | undefined {
  const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return isTime && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

function hours(value: unknown): 1 | 24 | 168 | undefined {
  return value === 1 || value === 24 || value === 168 ? value : undefined;
}

/** The filters of the log in the address of its page, and whether it is followed live. */
export const logParameters = {
  q: word(64),
  verdict: word(32),
  edition: oneOf(editions),
  player: word(16),
  ip: word(64),
  country: word(2),
  host: word(255),
  trace: word(16),
  from: time,
  to: time,
  hours,
  live: oneOf(modes),
};

export type LogSearch = {
  [N in keyof typeof logParameters]?: ReturnType<(typeof logParameters)[N]>;
};

/** The parameters that narrow the list; the others of the search are the page's. */
export const filterNames = [
  "q",
  "verdict",
  "edition",
  "player",
  "ip",
  "country",
  "host",
  "trace",
  "from",
  "to",
  "hours",
] as const satisfies readonly (keyof LogSearch)[];

export const noFilters: Record<(typeof filterNames)[number], undefined> = {
  q: undefined,
  verdict: undefined,
  edition: undefined,
  player: undefined,
  ip: undefined,
  country: undefined,
  host: undefined,
  trace: undefined,
  from: undefined,
  to: undefined,
  hours: undefined,
};

export function isFiltered(search: LogSearch): boolean {
  return filterNames.some((name) => search[name] !== undefined);
}

/** As the api takes it. */
export function isSearchable(q: string): boolean {
  return q.length >= 3 && /[a-z\d]{2}/i.test(q);
}
