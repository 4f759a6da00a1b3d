import { Socket } from "node:net";
import { getPriority, setPriority } from "node:os";
import { TimerWheel } from "#src/session/timer-wheel.ts";
import { RelayDesk } from "./relay-desk.ts";
import type { PairMessage, RelayNews } from "./relay-messages.ts";
import { RelayedPlayers } from "./relayed-players.ts";

/**
 * A relay process: `relay-main.ts <folder> [lifeline]`. It takes admitted players from the front
 * that started it, and keeps them when that front is gone; it ends once they have left. `lifeline`
 * is a descriptor that the supervisor holds the other end of: its end is ours, however it came.
 */

/** How often bytes are reported, even if there are none: a silent process counts as hung. */
const tellMs = 500;
/** Bytes of players who have left wait this long for a front that counts them. */
const untoldMs = 30_000;

const [folder = "", lifeline] = process.argv.slice(2);
process.title = "palisade-relay";

const wheel = new TimerWheel(() => performance.now());
let leftAloneAtMs: number | undefined;

const desk = new RelayDesk({
  folder,
  players: () => players.list(),
  onCommand: (command) => {
    if (command.kind === "end") {
      tellMoved();
      end();
    } else if (command.kind === "destroy") players.destroy(command.id);
  },
});

function tell(news: RelayNews): void {
  // Bytes count for the player's shield as long as they play.
  if (news.kind === "closed") tellMoved();
  desk.tell(news);
}

const players = new RelayedPlayers(wheel, tell);

function tellMoved(): void {
  if (desk.hasFront) desk.tell(players.drain());
}

function end(): void {
  desk.close();
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

process.on("message", (message, socket) => {
  // Our front sends nothing else, and hands over only sockets.
  players.take(message as PairMessage, socket as Socket | undefined);
});
process.on("disconnect", () => {
  players.dropHalves();
  leftAloneAtMs = performance.now();
});
// From a terminal it reaches the front as well, which knows what is to be done.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", end);

if (lifeline !== undefined) holdLifeline(Number(lifeline));
try {
  // The front runs at a lower priority, so that a flood takes no time from players.
  setPriority(0);
} catch {
  // Started by a front that is below already, without the right to rise: equal then.
  const msg = `a relay process stays at nice ${getPriority()}, with the front: set LimitNICE=20`;
  process.stderr.write(
    `${JSON.stringify({ level: 40, time: Date.now(), program: "edge", msg })}\n`,
  );
}
setInterval(() => wheel.advance(), wheel.tickMs);
setInterval(() => {
  tellMoved();
  endWhenEmpty();
}, tellMs);
await desk.open();
// The channel reports a front that is gone by now.
process.send?.({ kind: "relay-ready" }, () => undefined);
