import { listLocations } from "@palisade/contract/http/staff-locations";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

export const locationsQuery = queryOptions({
  queryKey: ["staff", "locations"],
  queryFn: async ({ signal }) => (await call(listLocations, { signal })).data.locations,
});
