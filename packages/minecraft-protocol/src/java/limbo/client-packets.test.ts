import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  describedPlayPackets,
  describedReleases,
  type DescribedPackets,
} from "@palisade/testing/minecraft/described-packets";
import { readVarInt } from "../varint.ts";
import { atLeast, knownReleases } from "../versions.ts";
import { decodeLimboPacket, type LimboPacket } from "./client-packets.ts";

/** Packets written by protodef from minecraft-data's descriptions, which are not ours. */

const uuid = "00112233-4455-6677-8899-aabbccddeeff";

interface Written {
  /** Names in different versions; the first that the version has is written. */
  readonly names: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly read: LimboPacket;
  readonly since?: Parameters<typeof atLeast>[1];
}

function written(protocol: number): Written[] {
  const hasFlags = atLeast(protocol, "1.21.2");
  const ground = { onGround: false, flags: { onGround: false, hasHorizontalCollision: true } };
  const stands = { onGround: false, ...(hasFlags && { againstWall: true }) };
  const place = { x: 1.5, y: -2.25, z: 3, stance: -0.63 };
  const look = { yaw: 90, pitch: -45 };
  const moved: LimboPacket = { kind: "moved", x: 1.5, y: -2.25, z: 3, ...stands };
  const chat = {
    message: "AbC 12 é",
    command: "code AbC12",
    timestamp: [0, 1],
    salt: [0, 2],
    signature: atLeast(protocol, "1.19.3") ? undefined : Buffer.alloc(3),
    signedPreview: false,
    previousMessages: [],
    lastRejectedMessage: undefined,
    argumentSignatures: [],
    offset: 0,
    messageCount: 0,
    acknowledged: Buffer.alloc(3),
    checksum: 1,
  };
  return [
    {
      names: ["keep_alive"],
      params: { keepAliveId: atLeast(protocol, "1.12.2") ? [0, 77] : 77 },
      read: { kind: "keep-alive", id: 77n },
    },
    { names: ["flying"], params: ground, read: { kind: "stood", ...stands } },
    { names: ["look"], params: { ...look, ...ground }, read: { kind: "stood", ...stands } },
    { names: ["position"], params: { ...place, ...ground }, read: moved },
    { names: ["position_look"], params: { ...place, ...look, ...ground }, read: moved },
    {
      names: ["teleport_confirm"],
      params: { teleportId: 300 },
      read: { kind: "teleport-confirmed", teleportId: 300 },
      since: "1.9",
    },
    {
      names: ["arm_animation"],
      params: { entityId: 1, animation: 1, hand: atLeast(protocol, "26.1") ? "main_hand" : 0 },
      read: { kind: "arm", hand: "main" },
    },
    { names: ["held_item_slot"], params: { slotId: 7 }, read: { kind: "held-item", slot: 7 } },
    {
      names: ["vehicle_move"],
      params: { ...place, ...look, onGround: false },
      read: { kind: "vehicle-move", x: 1.5, y: -2.25, z: 3, ...look },
      since: "1.9",
    },
    {
      names: ["player_input", "steer_vehicle"],
      params: hasFlags
        ? { inputs: { left: true, backward: true, jump: true, shift: true } }
        : { sideways: 1, forward: -1, jump: atLeast(protocol, "1.8") ? 3 : true, unmount: true },
      read: { kind: "player-input", sideways: 1, forward: -1, jumps: true, sneaks: true },
    },
    {
      names: ["steer_boat"],
      params: { leftPaddle: true, rightPaddle: false },
      read: { kind: "boat-paddles", left: true, right: false },
      since: "1.9",
    },
    {
      names: ["resource_pack_receive"],
      params: { hash: "0123456789012345678901234567890123456789", uuid, result: 2 },
      read: {
        kind: "resource-pack-status",
        uuid: atLeast(protocol, "1.20.3") ? uuid.replaceAll("-", "") : undefined,
        status: 2,
      },
      since: "1.8",
    },
    {
      names: ["chat_message", "chat"],
      params: chat,
      read: { kind: "chat", message: "AbC 12 é" },
    },
    {
      names: ["chat_command"],
      params: chat,
      read: { kind: "chat-command", command: "code AbC12" },
      since: "1.19",
    },
    { names: ["pong"], params: { id: -5 }, read: { kind: "pong", id: -5 }, since: "1.17" },
    {
      names: ["chunk_batch_received"],
      params: { chunksPerTick: 9.5 },
      read: { kind: "chunk-batch-received" },
      since: "1.20.2",
    },
    { names: ["tick_end"], params: {}, read: { kind: "tick-end" }, since: "1.21.2" },
    { names: ["player_loaded"], params: {}, read: { kind: "player-loaded" }, since: "1.21.4" },
    {
      names: ["abilities"],
      params: { flags: 0, flyingSpeed: 0, walkingSpeed: 0 },
      read: { kind: "other" },
    },
  ];
}

function decode(protocol: number, packet: Buffer): LimboPacket {
  const id = readVarInt(packet, 0, packet.length);
  if (id.kind !== "value") throw new Error(id.kind);
  return decodeLimboPacket(protocol, id.value, packet, id.next, packet.length);
}

function write(packets: DescribedPackets, { names, params }: Written): Buffer {
  for (const name of names) {
    try {
      return packets.write(name, params);
    } catch (error) {
      if (name === names.at(-1)) throw error;
    }
  }
  throw new Error("no name");
}

describe.each(describedReleases())("a client of $version", ({ version, protocol }) => {
  const packets = describedPlayPackets(version, "toServer");
  const cases = written(protocol).filter(({ since = "1.7.2" }) => atLeast(protocol, since));
  const bytes = cases.map((packet) => write(packets, packet));

  test("is understood, as minecraft-data describes its packets", () => {
    const understood = bytes.map((packet) => decode(protocol, packet));
    expect(understood).toMatchObject(cases.map(({ read }) => read));
  });

  test("sends no packet that is cut off or goes on", () => {
    for (const [n, packet] of bytes.entries()) {
      const { names, read } = cases[n] ?? {};
      // The end of signed chat is not read, and an empty packet cannot be cut.
      if (read === undefined || read.kind === "other") continue;
      const isSigned = names?.[0]?.startsWith("chat_") === true && atLeast(protocol, "1.19");
      if (isSigned) continue;
      for (let cut = 1; cut < packet.length; cut++) {
        expect(decode(protocol, packet.subarray(0, cut))).toEqual({ kind: "malformed" });
      }
      expect(decode(protocol, Buffer.concat([packet, Buffer.of(0)]))).toEqual({
        kind: "malformed",
      });
    }
  });
});

test("hostile bytes of any version never throw, and texts have a bound", () => {
  const protocols = fc.constantFrom(...knownReleases.map(({ protocol }) => protocol), -1, 99_999);
  const bytes = fc.uint8Array({ maxLength: 1200 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, protocols, fc.integer({ min: -1, max: 0x50 }), (packet, protocol, id) => {
      const read = decodeLimboPacket(protocol, id, packet, 0, packet.length);
      if (read.kind === "chat") expect(read.message.length).toBeLessThanOrEqual(768);
    }),
    { numRuns: 2000 },
  );
});

test("an id above the version's highest is unknown, and a version before 1.7 has no packets", () => {
  const nothing = Buffer.alloc(0);
  expect(decodeLimboPacket(47, 0x1a, nothing, 0, 0)).toEqual({ kind: "unknown" });
  expect(decodeLimboPacket(47, -1, nothing, 0, 0)).toEqual({ kind: "unknown" });
  expect(decodeLimboPacket(78, 0x0a, nothing, 0, 0)).toEqual({ kind: "unknown" });
  // A later version than the table may have more packets.
  expect(decodeLimboPacket(99_999, 0x7f, nothing, 0, 0)).toEqual({ kind: "other" });
});
