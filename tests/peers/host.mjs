/**
 * Many servers and players in one process, for tests that need more of them than separate processes allow:
 * `node host.mjs`
 * Commands: {id, do: "serve" | "stop" | "kick" | "ping" | "join" | "echo" | "quit", ...}.
 * Each gets one answer: answer {id, ...}, with `failure` if it failed. Other events: see host/*.mjs.
 */
import { PassThrough } from "node:stream";
import { onCommand, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();
const { echo, join, ping, quit } = await import("./host/players.mjs");
const { kick, serve, stop } = await import("./host/servers.mjs");

const actions = { serve, stop, kick, ping, join, echo, quit };

// The libraries throw from timers and parsers of ended connections; tests see that those connections
// end.
process.on("uncaughtException", (error) => report("noise", { message: error.stack }));

onCommand(async ({ id, do: action, ...options }) => {
  try {
    report("answer", { id, ...(await actions[action](options)) });
  } catch (error) {
    report("answer", { id, failure: error.message });
  }
});
// flying-squid takes standard input for its own console.
Object.defineProperty(process, "stdin", { value: new PassThrough() });
report("ready");
