import {
  ticketChannel,
  typingSeconds,
  type LiveMessage,
  type LivePerson,
} from "@palisade/contract/http/live-channel";
import type { LiveState } from "@palisade/contract/http/live-client";
import type { TicketStatus } from "@palisade/contract/http/tickets";
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { liveChannel } from "./live-channel.ts";

export interface TicketChannelHandlers {
  /**
   * The ticket is watched, for the first time or again after a gap: read it now, and merge what it holds
   * with the messages of `onMessage` by `mergeMessages`.
   */
  readonly onSubscribed: () => void;
  readonly onMessage: (message: LiveMessage) => void;
  readonly onStatus: (change: { status: TicketStatus; updated_at: string }) => void;
}

export interface TicketChannel {
  readonly state: LiveState;
  /** For the button that is shown in the states `failed` and `refused`. */
  readonly reconnect: () => void;
  /** Call it at every key: it sends as often as it should. */
  readonly sendTyping: () => void;
  /** The others who look at the ticket. */
  readonly people: readonly LivePerson[];
  /** The person who writes just now. */
  readonly typing: LivePerson | null;
}

const watch = (onChange: () => void) => liveChannel.watch(onChange);
const readState = () => liveChannel.state();

const noPeople: readonly LivePerson[] = [];

/** Watches a ticket for as long as the component is shown. */
export function useTicketChannel(ticketId: string, handlers: TicketChannelHandlers): TicketChannel {
  const channel = ticketChannel(ticketId);
  const state = useSyncExternalStore(watch, readState);
  const [people, setPeople] = useState(noPeople);
  const [typing, setTyping] = useState<LivePerson | null>(null);
  const onSubscribed = useEffectEvent(handlers.onSubscribed);
  const onMessage = useEffectEvent(handlers.onMessage);
  const onStatus = useEffectEvent(handlers.onStatus);

  useEffect(() => {
    const end = liveChannel.subscribe(channel, (frame) => {
      if (frame.event === "subscribed") onSubscribed();
      else if (frame.event === "status-updated") onStatus(frame.data);
      else if (frame.event === "presence") setPeople(frame.data.people);
      else if (frame.event === "typing") setTyping(frame.data);
      else if (frame.event === "new-message") {
        // The message is what they wrote.
        setTyping((writer) => (writer?.is_admin === frame.data.is_admin ? null : writer));
        onMessage(frame.data);
      }
    });
    return () => {
      end();
      setPeople(noPeople);
      setTyping(null);
    };
  }, [channel]);

  useEffect(() => {
    if (typing === null) return undefined;
    const timer = setTimeout(() => setTyping(null), typingSeconds * 1_000);
    return () => clearTimeout(timer);
  }, [typing]);

  return {
    state,
    reconnect: () => liveChannel.reconnect(),
    sendTyping: () => liveChannel.sendTyping(channel),
    people: state === "live" ? people : noPeople,
    typing: state === "live" ? typing : null,
  };
}
