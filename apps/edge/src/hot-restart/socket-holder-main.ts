import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import {
  acceptUnix,
  connectUnix,
  listenUnix,
  withSocketPath,
} from "@palisade/sockets/unix-listener";
import { Reactor } from "@palisade/sockets/reactor";
import { HolderChannel } from "./holder-channel.ts";
import { addressKey, copiesMax, sessionsAtOnce, type ToHolder } from "./holder-messages.ts";

/**
 * The process that holds an edge's listening sockets while no edge runs, and does nothing else:
 * `socket-holder-main.ts <folder> <name> <patience> <channel> [lifeline]`. It imports as little as it
 * can, because it costs its memory for as long as the edge runs. `channel` is a descriptor to the edge
 * that starts it; later edges come by the socket of that name. It ends `patience` milliseconds after
 * the last edge that accepted players, or with its lifeline, whose other end the supervisor holds.
 */

interface HeldSocket {
  readonly fd: number;
  readonly address: (ToHolder & { readonly kind: "keep" })["address"];
}

const [folder = "", name = "", patience = "", channel = "", lifeline] = process.argv.slice(2);
process.title = "palisade-sockets";

const reactor = new Reactor(16);
const held = new Map<string, HeldSocket>();
/** Sockets of Bedrock players between two edges. */
const sessions: { readonly fd: number; readonly record: string }[] = [];
/** Copies of the sessions of the edges that run, by worker and id. */
const copies = new Map<HolderChannel, Map<string, (typeof sessions)[number]>>();
/** Edges that accept players. */
const serving = new Set<HolderChannel>();
let lastServedMs = performance.now();

function end(hasPath = true): never {
  if (hasPath) rmSync(join(folder, name), { force: true });
  // Every socket closes with the process.
  process.exit();
}

function drop(key: string): void {
  const socket = held.get(key);
  held.delete(key);
  if (socket !== undefined) closeDescriptor(socket.fd);
}

function copiesOf(edge: HolderChannel): Map<string, (typeof sessions)[number]> {
  const own = copies.get(edge) ?? new Map<string, (typeof sessions)[number]>();
  copies.set(edge, own);
  return own;
}

function forget(edge: HolderChannel, key: string): void {
  const own = copiesOf(edge);
  const copy = own.get(key);
  own.delete(key);
  if (copy !== undefined) closeDescriptor(copy.fd);
}

/** @param fd of the copy */
function copy(
  edge: HolderChannel,
  { worker, id, record }: ToHolder & { readonly kind: "copy-session" },
  fd: number,
): void {
  const own = copiesOf(edge);
  if (own.size < copiesMax) own.set(`${worker} ${id}`, { fd, record });
  else closeDescriptor(fd);
}

/** A worker of the edge is gone: the edge gets back the sessions that it had. */
function leave(edge: HolderChannel, worker: number): void {
  const own = copiesOf(edge);
  for (const [key, session] of own) {
    if (!key.startsWith(`${worker} `)) continue;
    own.delete(key);
    sessions.push(session);
  }
}

/** The edge is gone: the next one gets the sessions that it had. */
function left(edge: HolderChannel): void {
  for (const session of copies.get(edge)?.values() ?? []) sessions.push(session);
  copies.delete(edge);
}

function take(edge: HolderChannel, message: ToHolder, descriptors: readonly number[]): void {
  const [fd] = descriptors;
  if (message.kind === "keep" && fd !== undefined) {
    drop(addressKey(message.address));
    held.set(addressKey(message.address), { fd, address: message.address });
  } else if (message.kind === "drop") drop(addressKey(message.address));
  else if (message.kind === "adopt") {
    for (const { fd: own, address } of held.values()) edge.send({ kind: "socket", address }, [own]);
    edge.send({ kind: "adopted", takesCopies: true, leavesCopies: true });
  } else if (message.kind === "keep-session" && fd !== undefined) {
    sessions.push({ fd, record: message.record });
  } else if (message.kind === "copy-session" && fd !== undefined) copy(edge, message, fd);
  else if (message.kind === "forget-session") forget(edge, `${message.worker} ${message.id}`);
  else if (message.kind === "forget-sessions") {
    // A map may be deleted from while it is walked through.
    for (const key of copiesOf(edge).keys()) {
      if (key.startsWith(`${message.worker} `)) forget(edge, key);
    }
  } else if (message.kind === "leave-sessions") leave(edge, message.worker);
  else if (message.kind === "take-sessions") {
    for (const session of sessions.splice(0, sessionsAtOnce)) {
      edge.send({ kind: "session", record: session.record }, [session.fd]);
      closeDescriptor(session.fd);
    }
    edge.send({ kind: "synced" });
  } else if (message.kind === "sync") edge.send({ kind: "synced" });
  else if (message.kind === "serve") {
    serving.add(edge);
    edge.send({ kind: "served" });
  } else if (message.kind === "end") end();
}

function welcome(fd: number): void {
  const edge = new HolderChannel(reactor, fd, {
    onMessage(message, descriptors) {
      if (message === undefined) end();
      // The other end is an edge of ours, in a folder that only we can enter.
      take(edge, message as ToHolder, descriptors);
    },
    onEnd() {
      left(edge);
      if (serving.delete(edge)) lastServedMs = performance.now();
    },
  });
}

/** @returns the listening socket; ends if another holder has the path */
function listen(): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return withSocketPath(folder, name, (path) => {
    const other = connectUnix(path);
    if (other >= 0) end(false);
    // Left by one that was killed.
    rmSync(path, { force: true });
    return listenUnix(path);
  });
}

/** Until the patience is over; -1 while an edge accepts players. */
function waitMs(): number {
  if (serving.size > 0) return -1;
  return Math.max(0, Math.ceil(lastServedMs + Number(patience) - performance.now()));
}

const listener = listen();
reactor.add(listener, epollEvents.readable, {
  ready() {
    for (let fd = acceptUnix(listener); fd >= 0; fd = acceptUnix(listener)) welcome(fd);
  },
});
// The supervisor writes nothing to it: whatever happens there is its end.
if (lifeline !== undefined) {
  reactor.add(Number(lifeline), epollEvents.readable, { ready: () => end() });
}
welcome(Number(channel));
while (waitMs() !== 0) reactor.turn(waitMs());
end();
