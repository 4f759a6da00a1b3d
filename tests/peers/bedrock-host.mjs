/**
 * Real Bedrock servers and players (bedrock-protocol) in one process: `node bedrock-host.mjs`
 * Commands: {id, do: "serve" | "stop" | "kick" | "join" | "echo" | "quit" | "crash", ...}.
 * Each gets one answer: answer {id, ...}, with `failure` if it failed. Other events: see bedrock/*.mjs.
 */
import { onCommand, report, reserveStandardOutput } from "./lib.mjs";

reserveStandardOutput();
const { crash, echo, join, quit } = await import("./bedrock/players.mjs");
const { kick, serve, stop } = await import("./bedrock/servers.mjs");

const actions = { serve, stop, kick, join, echo, quit, crash };

// The library throws from its parsers and timers of ended connections; tests see that those connections
// end.
process.on("uncaughtException", (error) => report("noise", { message: error.stack }));

onCommand(async ({ id, do: action, ...options }) => {
  try {
    report("answer", { id, ...(await actions[action](options)) });
  } catch (error) {
    report("answer", { id, failure: error.message });
  }
});
report("ready");
