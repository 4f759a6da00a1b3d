import { listIncidents } from "@palisade/contract/http/staff-status";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export const incidentsQuery = queryOptions({
  queryKey: ["staff", "status"],
  queryFn: async ({ signal }) => (await call(listIncidents, { signal })).data,
});
