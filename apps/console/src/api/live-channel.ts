import { createLiveToken, socketsPath } from "@palisade/contract/http/live-channel";
import { createLiveClient, type LiveSocket } from "@palisade/contract/http/live-client";
import { call } from "./client.ts";
import { statusOf } from "./errors.ts";

/** The tab's only connection to the live channel; open while a page subscribes to something. */
export const liveChannel = createLiveClient({
  fetchToken: async () => (await call(createLiveToken, {})).data.token,
  // Too many calls (429) pass.
  isRefused: (error) => [401, 403].includes(statusOf(error) ?? 0),
  openSocket: () => {
    const { protocol, host } = globalThis.location;
    const url = `${protocol === "https:" ? "wss:" : "ws:"}//${host}${socketsPath}`;
    // The client reads less of the events than a handler of the browser may.
    return new WebSocket(url) as LiveSocket;
  },
  startTimer: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
});

// The tries ran out while the device was offline.
globalThis.addEventListener("online", () => {
  if (liveChannel.state() === "failed") liveChannel.reconnect();
});
