import { Socket } from "node:net";
import { getPriority, setPriority } from "node:os";
import { threadReactor, turnClock } from "#src/reactor/reactor.ts";
import { TimerWheel } from "#src/reactor/timer-wheel.ts";
import { BandwidthShares } from "./bandwidth-share.ts";
import { ControlServer } from "./control-channel.ts";
import { PlayerIntake } from "./player-channel.ts";
import { ProcessorTurns } from "./processor-turns.ts";
import { RelayedPlayers } from "./relayed-players.ts";

/**
 * A relay process: `relay-main.ts <folder> <channel> [lifeline]`. It takes admitted players from the
 * edge that started it, and keeps them when that edge is gone; it ends once they have left. Both
 * others are descriptors: players come by `channel`, and the supervisor holds the other end of
 * `lifeline`, whose end is ours, however it came.
 */

/** How often bytes are reported, even if there are none: a silent process counts as hung. */
const tellMs = 500;
/** Bytes of players who have left wait this long for an edge that counts them. */
const untoldMs = 30_000;

const [folder = "", channel = "", lifeline] = process.argv.slice(2);
process.title = "palisade-relay";

const reactor = threadReactor();
const nowMs = turnClock(() => performance.now());
const wheel = new TimerWheel(nowMs);
const shares = new BandwidthShares(nowMs);
let leftAloneAtMs: number | undefined;

const controlServer = new ControlServer({
  folder,
  players: () => players.list(),
  moved: () => players.drain(),
  onCommand: (command) => {
    if (command.kind === "end") {
      controlServer.flush();
      end();
    } else if (command.kind === "destroy") players.destroy(command.id);
    else if (command.kind === "shares") {
      for (const [shield, bytesPerSecond] of command.rates) shares.limit(shield, bytesPerSecond);
    }
  },
});

const players = new RelayedPlayers(reactor, wheel, shares, (event, id) =>
  controlServer.tell(event, id),
);

function end(): void {
  controlServer.close();
  process.exit();
}

function endWhenEmpty(): void {
  if (leftAloneAtMs === undefined || players.size > 0) return;
  const isPatient = performance.now() - leftAloneAtMs < untoldMs;
  if (!players.hasUntold || !isPatient) end();
}

function holdLifeline(descriptor: number): void {
  const held = new Socket({ fd: descriptor });
  held.on("error", () => undefined).on("close", end);
  held.resume();
}

void new PlayerIntake(reactor, Number(channel), {
  onPlayer: (player, ends) => players.take(player, ends),
  onEnd: () => (leftAloneAtMs = performance.now()),
});
// From a terminal it reaches the edge as well, which knows what is to be done.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", end);

if (lifeline !== undefined) holdLifeline(Number(lifeline));
try {
  // The edge runs at a lower priority, so that a flood takes no time from players.
  setPriority(0);
} catch {
  // Started by an edge that is below already, without the right to rise: equal then.
  const msg = `a relay process stays at nice ${getPriority()}, with the front: set LimitNICE=20`;
  process.stderr.write(
    `${JSON.stringify({ level: 40, time: Date.now(), program: "edge", msg })}\n`,
  );
}
const turns = new ProcessorTurns();
setInterval(() => {
  turns.check();
  wheel.advance();
}, wheel.tickMs);
setInterval(() => {
  controlServer.report();
  endWhenEmpty();
}, tellMs);
await controlServer.open();
// The channel reports an edge that is gone by now.
process.send?.({ kind: "relay-ready" }, () => undefined);
