import { serverLifeRoutes } from "@palisade/contract/http/server-life";
import { call } from "./client.ts";
import { queryClient } from "./query-client.ts";

/** Everything that lists shields, and this one's own data, is read again. */
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
