import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { closeDescriptor, openedOrThrow } from "@palisade/sockets/descriptors";
import { libc } from "@palisade/sockets/libc";
import { closeOnExec, families, nonBlocking } from "@palisade/sockets/socket-flags";
import { bindUdp, DatagramBatch } from "@palisade/sockets/udp-socket";
import type { DatagramFloodOrder, DatagramFloodResult } from "./flood-order.ts";

/**
 * One datagram again and again, from many addresses in turn, at a steady rate and for a limited time. It
 * writes each IP header itself, as one who forges addresses does. The addresses have to be this
 * machine's or this network namespace's, so that the answers come back and are counted. Needs root.
 *
 * The argument is a `DatagramFloodOrder`. Messages out: `{ kind: "flooding" }` before the first
 * datagram, and a `DatagramFloodResult` at the end.
 */

// Comes from the test.
const order = JSON.parse(process.argv[2] ?? "{}") as DatagramFloodOrder;
const rawSocket = 3;
/** The caller writes the IP header; the kernel adds length and checksum (raw(7)). */
const rawProtocol = 255;
const ipHeaderBytes = 20;
const headerBytes = ipHeaderBytes + 8;
const batchMax = 64;
const tickMs = 2;
/** Answers to the last datagrams arrive within this time. */
const settleMs = 500;
/** Stops whatever happens. */
const lifeMs = (order.seconds + 30) * 1_000;

const payload = Buffer.from(order.datagram, "hex");
const length = headerBytes + payload.length;
const template = Buffer.alloc(length);
template[0] = 0x45;
template[8] = 64;
template[9] = 17;
template.set(ipOf(order.host), 16);
template.writeUInt16BE(order.fromPort, ipHeaderBytes);
template.writeUInt16BE(order.port, ipHeaderBytes + 2);
template.writeUInt16BE(8 + payload.length, ipHeaderBytes + 4);
template.set(payload, headerBytes);

const sending = new DatagramBatch({ datagramsMax: batchMax, datagramBytesMax: 2_048 });
const receiving = new DatagramBatch({ datagramsMax: batchMax, datagramBytesMax: 2_048 });
for (let entry = 0; entry < batchMax; entry += 1) {
  sending.bytes.set(template, sending.offset(entry));
  sending.addresses.write({ ip: order.host, port: 0 }, entry);
  sending.prepare(entry, length);
}

const answers = bindUdp({ ip: "0.0.0.0", port: order.fromPort, bufferBytes: 64 * 1_024 * 1_024 });
const type = rawSocket | nonBlocking | closeOnExec;
const raw = openedOrThrow("socket", libc.socket(families.ipv4, type, rawProtocol));
const firstSource = Buffer.from(ipOf(order.firstSource)).readUInt32BE();
const result: DatagramFloodResult = {
  kind: "flooded",
  sent: 0,
  sentBytes: 0,
  answered: 0,
  answeredBytes: 0,
  unread: 0,
  seconds: 0,
};

setTimeout(() => process.exit(1), lifeMs).unref();
process.on("disconnect", () => process.exit());
process.send?.({ kind: "flooding" });
const startedAt = performance.now();
for (let elapsed = 0; elapsed < order.seconds; elapsed = since()) {
  const due = Math.floor(Math.min(elapsed + tickMs / 1_000, order.seconds) * order.perSecond);
  // A late turn is not made up for by a burst that no network would carry.
  const count = Math.min(due - result.sent, order.perSecond / 20);
  for (let sent = 0; sent < count; sent += batchMax) {
    send(Math.min(batchMax, Math.ceil(count - sent)));
    receive();
  }
  receive();
  await delay(tickMs);
}
result.seconds = since();
for (const until = since() + settleMs / 1_000; since() < until; await delay(tickMs)) receive();
result.unread = unread();
closeDescriptor(raw);
closeDescriptor(answers);
process.send?.(result, () => process.disconnect());

function since(): number {
  return (performance.now() - startedAt) / 1_000;
}

function send(count: number): void {
  for (let entry = 0; entry < count; entry += 1) {
    const source = firstSource + ((result.sent + entry) % order.sources);
    sending.bytes.writeUInt32BE(source, sending.offset(entry) + 12);
  }
  const sent = Math.max(0, sending.send(raw, 0, count));
  result.sent += sent;
  result.sentBytes += sent * payload.length;
}

function receive(): void {
  for (;;) {
    const count = receiving.receive(answers);
    for (let entry = 0; entry < count; entry += 1) result.answeredBytes += receiving.length(entry);
    if (count > 0) result.answered += count;
    if (count < batchMax) return;
  }
}

/** Answers for which the socket had no room: the last column of its line (proc_net_udp(5)). */
function unread(): number {
  const port = order.fromPort.toString(16).toUpperCase().padStart(4, "0");
  const line = readFileSync("/proc/self/net/udp", "utf8")
    .split("\n")
    .find((each) => each.includes(`: 00000000:${port} `));
  return Number(line?.trim().split(/\s+/).at(-1) ?? Number.NaN);
}

function ipOf(text: string): number[] {
  return text.split(".").map(Number);
}
