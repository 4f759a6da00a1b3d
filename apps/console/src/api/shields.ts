import { serverLifeRoutes } from "@palisade/contract/http/server-life";
import { call } from "./client.ts";
import { queryClient } from "./query-client.ts";

/** Reads every list of shields and the data of single shields again. */
export async function refreshShields(): Promise<void> {
  await Promise.all(
    ["servers", "dashboard"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  );
}

/** Brings a deleted shield back. */
export async function restoreShield(id: string): Promise<string> {
  const { data } = await call(serverLifeRoutes.restoreServer, { params: { id } });
  await refreshShields();
  return data.message;
}
