import { CallError, createClient, type Client } from "@palisade/contract/http/client";
import {
  createLiveToken,
  socketsPath,
  ticketChannel,
  type LiveMessage,
} from "@palisade/contract/http/live-channel";
import {
  createLiveClient,
  mergeMessages,
  type LiveClient,
  type LiveSocket,
} from "@palisade/contract/http/live-client";
import { getTicket } from "@palisade/contract/http/tickets";
import { WebSocket } from "ws";
import type { Customer } from "./channel-world.ts";

/** A customer's page of a ticket, with the console's own client. */
export interface TicketPage {
  readonly ticketId: string;
  readonly client: LiveClient;
  /** Ids of the messages on the page, the newest first. */
  shown(): readonly string[];
  /** When a message came over the channel, by its id. */
  readonly heardAt: ReadonlyMap<string, number>;
  /** Messages that the channel brought again. */
  repeats(): number;
  /** Complete reads of the ticket. */
  reads(): number;
  isReady(): boolean;
  close(): void;
}

/** The address of an api; a client asks anew for each try, as a load balancer would answer. */
export type PickApi = () => string;

export function openTicketPage({ ticketId, token }: Customer, pickApi: PickApi): TicketPage {
  let origin = pickApi();
  let read: readonly { readonly id: string }[] = [];
  const live: LiveMessage[] = [];
  const heardAt = new Map<string, number>();
  let repeats = 0;
  let reads = 0;
  const callApi: Client = (definition, input) => {
    const headers = () => ({ authorization: `Bearer ${token}` });
    return createClient({ baseUrl: origin, headers })(definition, input);
  };
  const client = createLiveClient({
    async fetchToken() {
      origin = pickApi();
      return (await callApi(createLiveToken, {})).data.token;
    },
    isRefused: (error) => error instanceof CallError && [401, 403].includes(error.status),
    // The client reads only what events of both kinds of sockets have.
    openSocket: () =>
      new WebSocket(origin.replace("http", "ws") + socketsPath, { origin }) as LiveSocket,
    startTimer(run, ms) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
  });
  const readTicket = async (): Promise<void> => {
    const { data } = await callApi(getTicket, { params: { id: ticketId } });
    read = data.ticket.messages;
    reads += 1;
  };
  const end = client.subscribe(ticketChannel(ticketId), (frame) => {
    // A read that fails is one of a process that has died: the client subscribes again.
    if (frame.event === "subscribed") readTicket().catch(() => undefined);
    if (frame.event !== "new-message") return;
    if (heardAt.has(frame.data.id)) repeats += 1;
    else heardAt.set(frame.data.id, performance.now());
    live.push(frame.data);
  });
  return {
    ticketId,
    client,
    shown: () => mergeMessages(read, live).map(({ id }) => id),
    heardAt,
    repeats: () => repeats,
    reads: () => reads,
    isReady: () => client.state() === "live" && reads > 0,
    close: end,
  };
}
