import { compareHistory, exportHistory, listHistory } from "@palisade/contract/http/history";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { saveFile } from "#src/lib/save-file.ts";
import type { ShieldSearch } from "../shield-search.ts";

const rowsPerPage = 20;

export function historyQuery(shieldId: string, { page, ...search }: ShieldSearch) {
  const query = { ...filterOf(search), page, per_page: rowsPerPage };
  return queryOptions({
    queryKey: ["servers", shieldId, "history", query],
    queryFn: async ({ signal }) =>
      (await call(listHistory, { params: { id: shieldId }, query, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** @param other an entry; empty for the settings of now */
export function comparisonQuery(shieldId: string, entryId: string, other: string) {
  const query = other === "" ? {} : { with: other };
  return queryOptions({
    queryKey: ["servers", shieldId, "history", entryId, query],
    queryFn: async ({ signal }) =>
      (await call(compareHistory, { params: { id: shieldId, entryId }, query, signal })).data,
    staleTime: 0,
  });
}

export async function saveHistory(shieldId: string, search: ShieldSearch): Promise<void> {
  const query = filterOf(search);
  const { data } = await call(exportHistory, { params: { id: shieldId }, query });
  saveFile("palisade-history.csv", new Blob([data], { type: "text/csv" }));
}

function filterOf({ area, by, days }: ShieldSearch) {
  return { area, by, days };
}
