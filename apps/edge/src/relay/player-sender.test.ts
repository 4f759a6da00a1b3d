import { closeDescriptor, trackDescriptors } from "@palisade/sockets/descriptors";
import { replaceLibc } from "@palisade/sockets/libc";
import { createChannelPair } from "@palisade/sockets/unix-channel";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { threadReactor } from "#src/reactor/thread-reactor.ts";
import { injectFaults } from "#src/testing/fault-injection.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { PlayerIntake } from "./player-intake.ts";
import { type HandedPlayer, playerMessageMax } from "./player-message.ts";
import { PlayerSender } from "./player-sender.ts";

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
