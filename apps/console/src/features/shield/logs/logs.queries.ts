import {
  erasePlayer,
  exportLogEntries,
  getLogSettings,
  listLogEntries,
  tailLogEntries,
  updateLogSettings,
  type RefreshInterval,
  type TailLine,
} from "@palisade/contract/http/logs";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { saveFile } from "#src/lib/save-file.ts";
import { isSearchable, type LogSearch } from "./logs-search.ts";
import { isVerdictChoice } from "./verdict-labels.ts";

const hourMs = 3_600_000;
/** Beyond it, the filters or the exported file are the way. */
const pagesMax = 100;

/** Invalid values of an address are left out rather than refused. */
function filtersOf({ live: _live, hours: _hours, from: _from, to: _to, ...search }: LogSearch) {
  const { verdict, q, ...rest } = search;
  return {
    ...rest,
    ...(isVerdictChoice(verdict) && { verdict }),
    ...(q !== undefined && isSearchable(q) && { q }),
  };
}

function periodOf({ hours, from, to }: LogSearch) {
  if (hours === undefined) return { from, to };
  return { from: new Date(Date.now() - hours * hourMs).toISOString() };
}

export function logQuery(shieldId: string, search: LogSearch) {
  const { live: _live, ...key } = search;
  return infiniteQueryOptions({
    queryKey: ["servers", shieldId, "log", key],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...filtersOf(search),
        ...periodOf(search),
        ...(pageParam !== "" && { cursor: pageParam }),
      };
      return (await call(listLogEntries, { params: { id: shieldId }, query, signal })).data;
    },
    initialPageParam: "",
    getNextPageParam: ({ next_cursor: next }, pages) => (pages.length < pagesMax ? next : null),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

export function logSettingsQuery(shieldId: string) {
  return queryOptions({
    queryKey: ["servers", shieldId, "log-settings"],
    queryFn: async ({ signal }) =>
      (await call(getLogSettings, { params: { id: shieldId }, signal })).data,
    staleTime: 60_000,
  });
}

export async function saveInterval(shieldId: string, seconds: RefreshInterval) {
  const body = { logs_refresh_interval: seconds };
  return (await call(updateLogSettings, { params: { id: shieldId }, body })).data;
}

export async function saveLog(shieldId: string, search: LogSearch): Promise<void> {
  const query = { ...filtersOf(search), ...periodOf(search) };
  const { data } = await call(exportLogEntries, { params: { id: shieldId }, query });
  saveFile("palisade-log.csv", new Blob([data], { type: "text/csv" }));
}

export async function eraseFromLog(shieldId: string, player: string): Promise<string> {
  const { data } = await withStepUp(() =>
    call(erasePlayer, { params: { id: shieldId }, body: { player } }),
  );
  return data.message;
}

/** Longer than any line of the api; a stream without line ends must not fill the memory. */
const lineCharactersMax = 4_000_000;

/** Follows the log for some minutes; call again with the id of the last entry. */
export async function* tailLog(
  shieldId: string,
  search: LogSearch,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<TailLine> {
  const query = { ...filtersOf(search), ...(after !== undefined && { after }) };
  const { data } = await call(tailLogEntries, { params: { id: shieldId }, query, signal });
  const decoder = new TextDecoder();
  const reader = data.getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > lineCharactersMax) throw new Error("The line is too long");
      // The api writes the lines by the same schema.
      for (const line of lines) yield JSON.parse(line) as TailLine;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
