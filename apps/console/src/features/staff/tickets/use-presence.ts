import { lookAtTicket, presenceSeconds } from "@palisade/contract/http/staff-tickets";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "#src/api/client.ts";
import { refreshTicket } from "./tickets.queries.ts";

/** Often enough that one lost call does not make a colleague disappear. */
const beatMs = (presenceSeconds * 1_000) / 6;

/**
 * Says that this person reads the ticket, hears which colleagues do, and reads the ticket again once
 * something was written in it.
 */
export function usePresence(ticketId: string, isTyping: boolean, updatedAt: string) {
  const typing = useRef(isTyping);
  const query = useQuery({
    queryKey: ["staff", "presence", ticketId],
    queryFn: async ({ signal }) => {
      const body = { is_typing: typing.current };
      return (await call(lookAtTicket, { params: { ticketId }, body, signal })).data;
    },
    refetchInterval: beatMs,
    // A failure says nothing about the ticket: the next beat tries again.
    retry: false,
    gcTime: 0,
  });
  const { refetch } = query;
  useEffect(() => {
    if (typing.current === isTyping) return;
    typing.current = isTyping;
    void refetch();
  }, [isTyping, refetch]);
  const seen = query.data?.updated_at ?? "";
  useEffect(() => {
    if (seen > updatedAt) void refreshTicket(ticketId);
  }, [seen, updatedAt, ticketId]);
  return query.data?.people ?? [];
}
