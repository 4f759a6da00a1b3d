import { listShields, readShield } from "@palisade/contract/http/staff-shields";
import { serverStatuses } from "@palisade/contract/http/servers";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import { oneOf, searchOf, text, uuid, wholeNumber } from "#src/lib/search-params.ts";

type Status = (typeof serverStatuses)[number];

const rowsPerPage = 20;
// The contract's list has each of them.
const statuses = Object.fromEntries(serverStatuses.map((name) => [name, true])) as Record<
  Status,
  true
>;

/** The search parameters of the list. */
export const shieldListSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  q: text(254),
  status: oneOf(statuses),
  owner_id: uuid(),
});

export type ShieldListSearch = ReturnType<typeof shieldListSearch>;

export function shieldListQuery(search: ShieldListSearch) {
  const query = { ...search, per_page: rowsPerPage };
  return queryOptions({
    queryKey: ["staff", "shields", query],
    queryFn: async ({ signal }) => (await call(listShields, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
}

export function shieldQuery(shieldId: string) {
  return queryOptions({
    queryKey: ["staff", "shield", shieldId],
    queryFn: async ({ signal }) =>
      (await call(readShield, { params: { shieldId }, signal })).data.shield,
  });
}
