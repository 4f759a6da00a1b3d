import { firewallRoutes, type Firewall } from "@palisade/contract/http/firewall";
import { serverRoutes } from "@palisade/contract/http/servers";
import { serverMessageRoutes, type ServerMessages } from "@palisade/contract/http/server-messages";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";

const liveMs = 2_000;

/** A settings resource with its version. */
export interface Versioned<T> {
  readonly value: T;
  readonly etag: string | null;
}

export function shieldQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id],
    queryFn: async ({ signal }) =>
      (await call(serverRoutes.getServer, { params: { id }, signal })).data.server,
    staleTime: 30_000,
  });
}

export function overviewQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "overview"],
    queryFn: async ({ signal }) =>
      (await call(serverRoutes.getOverview, { params: { id }, signal })).data,
    staleTime: 0,
    refetchInterval: liveMs,
  });
}

export function firewallQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "firewall"],
    queryFn: async ({ signal }): Promise<Versioned<Firewall>> => {
      const answer = await call(firewallRoutes.getFirewall, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}

export function messagesQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "messages"],
    queryFn: async ({ signal }): Promise<Versioned<ServerMessages>> => {
      const answer = await call(serverMessageRoutes.getServerMessages, {
        params: { id },
        signal,
      });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}

export function propagationQuery(id: string, revision: number) {
  return queryOptions({
    queryKey: ["servers", id, "propagation", revision],
    queryFn: async ({ signal }) => {
      const query = { revision };
      return (await call(serverRoutes.getPropagation, { params: { id }, query, signal })).data;
    },
    staleTime: 0,
  });
}

/** `If-Match` for a write based on that version; without an ETag the write is unconditional. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { "if-match": etag };
}
