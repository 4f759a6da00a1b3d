import type { Executor } from "./db.ts";

/** PostgreSQL's LISTEN/NOTIFY on one connection of its own, which reconnects by itself. */
export interface Bus {
  /**
   * `onMessage` runs for each notification. `onReconnect` runs after each (re)connection,
   * because notifications of the gap are lost: read the state again there.
   *
   * @returns ends the subscription
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onReconnect?: () => void,
  ): Promise<() => void>;
  /** Delivered when the transaction commits. At most 8000 bytes. */
  notify(executor: Executor, channel: string, payload: string): Promise<void>;
}
