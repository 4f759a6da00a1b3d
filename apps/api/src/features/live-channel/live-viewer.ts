import type { ServerFrame } from "@palisade/contract/http/live-channel";

/** The person behind a connection. */
export interface LiveViewer {
  readonly userId: string;
  readonly sessionId: string;
  /** Staff who work on tickets: they may watch every ticket. */
  readonly isStaff: boolean;
  readonly name: string;
}

/** A connection that is subscribed to a ticket. */
export interface TicketWatcher {
  readonly viewer: LiveViewer;
  /** False for the ticket's customer, even where the account is one of staff. */
  readonly asStaff: boolean;
  readonly send: (frame: ServerFrame) => void;
}
