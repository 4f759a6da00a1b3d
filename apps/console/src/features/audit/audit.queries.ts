import { exportAuditLog, listAuditLog } from "@palisade/contract/http/audit";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { saveFile } from "#src/lib/save-file.ts";
import type { AuditSearch } from "./audit-search.ts";

const rowsPerPage = 10;

export function auditQuery({ page, ...filter }: AuditSearch) {
  const query = { ...filter, page, per_page: rowsPerPage };
  return queryOptions({
    queryKey: ["audit", query],
    queryFn: async ({ signal }) => (await call(listAuditLog, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
}

export async function saveAuditLog({ page: _page, ...query }: AuditSearch): Promise<void> {
  const { data } = await call(exportAuditLog, { query });
  saveFile("palisade-audit-log.csv", new Blob([data], { type: "text/csv" }));
}
