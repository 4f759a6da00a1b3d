import { closeDescriptor, trackDescriptors } from "@palisade/sockets/descriptors";
import { replaceLibc } from "@palisade/sockets/libc";
import { createChannelPair } from "@palisade/sockets/unix-channel";
import { until } from "@palisade/testing/until";
import fc from "fast-check";
import { expect, test } from "vitest";
import { threadReactor } from "@palisade/sockets/reactor";
import { injectFaults } from "#src/testing/fault-injection.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import {
  bytesOfPlayer,
  type HandedPlayer,
  JoinPause,
  PlayerIntake,
  playerMessageMax,
  PlayerSender,
  readPlayers,
  writePlayer,
} from "./player-channel.ts";

const text = fc.string({ maxLength: 60, unit: "binary" });
const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));
const anyIds = fc.record({ shield: text, backend: text, source: text, isUnparsed: fc.boolean() });
const players: fc.Arbitrary<HandedPlayer[]> = fc.array(
  fc.record(
    { id: fc.maxSafeNat(), ids: anyIds, header: bytes, head: bytes, rate: fc.nat() },
    { requiredKeys: ["id", "ids", "header", "head"] },
  ),
  { maxLength: 5 },
);

function messageOf(handed: readonly HandedPlayer[]): Buffer {
  const room = Buffer.alloc(handed.reduce((sum, player) => sum + bytesOfPlayer(player), 0));
  return room.subarray(
    0,
    handed.reduce((end, player) => writePlayer(room, end, player), 0),
  );
}

test("players arrive as they were sent, however many, with any bytes", () => {
  fc.assert(
    fc.property(players, (handed) => {
      expect(readPlayers(messageOf(handed))).toEqual(handed);
    }),
  );
});

test("a message that is cut off or damaged brings whole players or a RangeError, nothing else", () => {
  fc.assert(
    fc.property(players, fc.nat(), fc.nat(255), (handed, place, value) => {
      const message = messageOf(handed);
      for (const damaged of [message.subarray(0, place % (message.length + 1)), message]) {
        if (damaged.length > 0) damaged[place % damaged.length] = value;
        try {
          expect(readPlayers(damaged).length).toBeLessThanOrEqual(damaged.length);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
    }),
  );
});

const ids = { shield: "shield", backend: "backend", source: "203.0.113.7", isUnparsed: false };

// It stays open for the thread's life.
const reactor = threadReactor();

/** The players of one turn, where every tenth one has sent much. */
function crowd(count: number): HandedPlayer[] {
  return Array.from({ length: count }, (_, id) => {
    const head = Buffer.alloc(id % 10 === 0 ? playerMessageMax / 2 : 40, id);
    return { id, ids, header: Buffer.from(`header ${id}`), head };
  });
}

/** The ends of a channel stand for a player's and a backend's connection. */
function ends() {
  const [player, backend] = createChannelPair();
  return { player, backend };
}

test("players of one turn arrive in order with their own connections, also while the process is behind", async () => {
  const tracking = trackDescriptors();
  const sender = new PlayerSender();
  const sent: boolean[] = [];
  const handed = crowd(100);
  for (const player of handed) sender.send(player, ends(), (isSent) => sent.push(isSent));
  expect(sender.isBusy).toBe(true);
  // Before anyone reads, the kernel takes some of the messages only.
  await until(() => sent.length > 0);
  expect(sender.isBusy).toBe(true);

  const arrived: HandedPlayer[] = [];
  let hasEnded = false;
  void new PlayerIntake(reactor, sender.childFd, {
    onPlayer(player, both) {
      arrived.push(player);
      for (const fd of Object.values(both ?? {})) closeDescriptor(fd);
    },
    onEnd: () => (hasEnded = true),
  });
  await until(() => arrived.length === handed.length);
  expect(arrived).toEqual(handed);
  expect(sent).toEqual(handed.map(() => true));
  sender.close();
  await until(() => hasEnded);
  tracking.stop();
});

test("system calls that fail for the moment lose no player and leave no descriptor", async () => {
  const tracking = trackDescriptors();
  const faults = injectFaults(new Random(20_261_123), { passing: 3 });
  const sender = new PlayerSender();
  const handed = crowd(200);
  const arrived: HandedPlayer[] = [];
  let hasEnded = false;
  try {
    void new PlayerIntake(reactor, sender.childFd, {
      onPlayer(player, both) {
        arrived.push(player);
        for (const fd of Object.values(both ?? {})) closeDescriptor(fd);
      },
      onEnd: () => (hasEnded = true),
    });
    for (const player of handed) sender.send(player, ends(), () => undefined);
    await until(() => arrived.length === handed.length);
  } finally {
    faults.undo();
  }
  expect(faults.injected()).toBeGreaterThan(5);
  expect(arrived).toEqual(handed);
  sender.close();
  await until(() => hasEnded);
  tracking.stop();
});

test("players who wait are told lost when the kernel has no memory to wait for the process", async () => {
  const tracking = trackDescriptors();
  const sender = new PlayerSender();
  const restore = replaceLibc((real) => ({ ...real, epoll_ctl: () => -1 }));
  const sent: boolean[] = [];
  try {
    for (const player of crowd(100)) sender.send(player, ends(), (isSent) => sent.push(isSent));
    await until(() => sent.length === 100);
  } finally {
    restore();
  }
  expect(sent).toContain(true);
  expect(sent).toContain(false);
  expect(sender.isBusy).toBe(false);
  sender.close();
  closeDescriptor(sender.childFd);
  tracking.stop();
});

/** @returns the pause that is asked for after some time with so many joins */
function pauseOf(): (ms: number, joins: number) => number {
  let nowMs = 1_000;
  const pause = new JoinPause(() => nowMs);
  return (ms, joins) => {
    for (let count = 0; count < joins; count++) pause.joined();
    nowMs += ms;
    return pause.beforeWait();
  };
}

test("players of a busy evening wait for nothing", () => {
  const after = pauseOf();
  for (let second = 0; second < 5; second++) expect(after(1_000, 1_000)).toBe(0);
});

test("events of a flood of joins gather for less than a millisecond", () => {
  const after = pauseOf();
  const pauseMs = after(10, 90);
  expect(pauseMs).toBeGreaterThan(0);
  expect(pauseMs).toBeLessThan(1);
  expect(after(0.3, 3)).toBe(pauseMs);
});

test("nothing is held up any more once a flood is over", () => {
  const after = pauseOf();
  expect(after(10, 90)).toBeGreaterThan(0);
  expect(after(10, 0)).toBe(0);
});

test("a few players at once are no flood", () => {
  const after = pauseOf();
  expect(after(1, 9)).toBe(0);
  expect(after(9, 0)).toBe(0);
});
