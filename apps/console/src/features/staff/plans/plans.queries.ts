import { listCatalogue } from "@palisade/contract/http/staff-plans";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export const catalogueQuery = queryOptions({
  queryKey: ["staff", "plans"],
  queryFn: async ({ signal }) => (await call(listCatalogue, { signal })).data,
});
