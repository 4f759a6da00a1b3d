import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  describedPlayPackets,
  describedReleases,
  type DescribedPacket,
} from "@palisade/testing/minecraft/described-packets";
import { readFrame } from "../frame.ts";
import { atLeast, currentProtocol, knownReleases } from "../versions.ts";
import { encodeLimboArrival, encodeLimboWorld, encodePlayerPosition } from "./arrival.ts";
import { encodeLimboConfiguration } from "./configuration.ts";
import { arrival, canEnterLimbo, floorBlock, platformHeight } from "./place.ts";

/**
 * Our packets, read by protodef from minecraft-data's descriptions, to their last byte. Real clients
 * enter the limbo in the edge's limbo-clients.test.ts.
 */

const teleportId = 77;

type State = "play" | "configuration";

function read(version: string, state: State, bytes: Buffer = Buffer.alloc(0)): DescribedPacket[] {
  const packets = describedPlayPackets(version, "toClient", state);
  const found: DescribedPacket[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, 0xffff);
    if (frame.kind !== "packet") throw new Error(frame.kind);
    // Every id of these packets takes one byte.
    found.push(packets.read(bytes.subarray(frame.bodyStart - 1, frame.bodyEnd)));
    at = frame.bodyEnd;
  }
  return found;
}

function named(packets: readonly DescribedPacket[], name: string): DescribedPacket["params"] {
  const found = packets.find((packet) => packet.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found.params;
}

describe.each(describedReleases())("a client of $version", ({ version, protocol }) => {
  const packets = read(version, "play", encodeLimboArrival(protocol, teleportId));
  const names = packets.map(({ name }) => name);

  test("joins a world, gets its chunk and is put above its floor, in this order", () => {
    const isSince = (release: Parameters<typeof atLeast>[1]): boolean => atLeast(protocol, release);
    expect(names).toEqual([
      "login",
      "spawn_position",
      ...(isSince("1.20.3") ? ["game_state_change"] : []),
      ...(isSince("1.14") ? ["update_view_position"] : []),
      ...(isSince("1.20.2") ? ["chunk_batch_start"] : []),
      "map_chunk",
      ...(isSince("1.20.2") ? ["chunk_batch_finished"] : []),
      "position",
    ]);
    const { worldState, ...login } = named(packets, "login");
    const mode = worldState === undefined ? login["gameMode"] : modeOf(worldState);
    expect(mode).toBe(worldState === undefined ? 2 : "adventure");
    expect(named(packets, "map_chunk")).toMatchObject({ x: 0, z: 0 });
    const position = named(packets, "position");
    const eyes = isSince("1.8") ? 0 : 1.62;
    expect(position["y"]).toBeCloseTo(arrival.y + eyes, 6);
    expect(position).toMatchObject({ x: arrival.x, z: arrival.z, yaw: 0, pitch: 0 });
    expect(position["teleportId"]).toBe(isSince("1.9") ? teleportId : undefined);
  });

  test("is told where it is from then on", () => {
    const elsewhere = { x: 3.25, y: 230.5, z: 12.75 };
    const [moved] = read(version, "play", encodePlayerPosition(protocol, elsewhere, 1));
    expect(moved?.name).toBe("position");
    expect(moved?.params).toMatchObject({ x: elsewhere.x, z: elsewhere.z });
  });

  test("knows its registries before it enters the world", () => {
    const configuration = read(version, "configuration", encodeLimboConfiguration(protocol));
    if (!atLeast(protocol, "1.20.2")) {
      expect(configuration).toEqual([]);
      return;
    }
    const inConfiguration = configuration.map(({ name }) => name);
    expect(inConfiguration[0]).toBe("feature_flags");
    expect(inConfiguration.at(-1)).toBe("finish_configuration");
    expect(inConfiguration.filter((name) => name === "tags")).toHaveLength(
      atLeast(protocol, "1.21.11") ? 1 : 0,
    );
    if (!atLeast(protocol, "1.20.5")) return;
    const registries = configuration.filter(({ name }) => name === "registry_data");
    for (const { params } of registries) expect(params["entries"]).not.toHaveLength(0);
    // A second packet of a registry would replace the first.
    expect(new Set(registries.map(({ params }) => params["id"])).size).toBe(registries.length);
  });
});

function modeOf(worldState: unknown): unknown {
  return typeof worldState === "object" && worldState !== null && "gamemode" in worldState
    ? worldState.gamemode
    : undefined;
}

test("for 1.7 the compressed blocks are the floor and its walls", () => {
  const chunk = named(read("1.7.10", "play", encodeLimboWorld(5)), "map_chunk");
  const compressed = chunk["compressedChunkData"];
  if (!Buffer.isBuffer(compressed)) throw new Error("no data");
  const data = inflateSync(compressed);
  expect(data).toHaveLength(4096 + 3 * 2048 + 256);
  const numbers = { air: 0, stone: 1, glass: 20 };
  for (let index = 0; index < 4096; index++) {
    const block = floorBlock(index & 15, index >> 8, (index >> 4) & 15);
    expect(data[index]).toBe(numbers[block]);
  }
});

test("every version from 1.7.2 on has a limbo, and the bytes of its world are made once", () => {
  for (const { protocol, version } of knownReleases) {
    const world = encodeLimboWorld(protocol);
    expect(world !== undefined, version).toBe(canEnterLimbo(protocol));
    expect(encodeLimboArrival(protocol, 1) !== undefined).toBe(canEnterLimbo(protocol));
    expect(encodeLimboWorld(protocol)).toBe(world);
    expect(encodeLimboConfiguration(protocol)).toBe(encodeLimboConfiguration(protocol));
    expect(encodeLimboConfiguration(protocol) !== undefined).toBe(atLeast(protocol, "1.20.2"));
  }
  expect(knownReleases.find(({ protocol }) => canEnterLimbo(protocol))?.version).toBe("1.7.2");
});

test("a version that is not known has the limbo of the newest, without memory of its own", () => {
  const newest = encodeLimboWorld(currentProtocol);
  const configuration = encodeLimboConfiguration(currentProtocol);
  for (const protocol of [99_999, 0x40000000 + 300, 0x7fffffff]) {
    expect(encodeLimboWorld(protocol)).toBe(newest);
    expect(encodeLimboConfiguration(protocol)).toBe(configuration);
    expect(encodePlayerPosition(protocol, arrival, 1)).toEqual(
      encodePlayerPosition(currentProtocol, arrival, 1),
    );
  }
  for (const protocol of [-1, 0, 3, 46, 61, 78]) {
    expect(encodeLimboArrival(protocol, 1)).toBeUndefined();
    expect(encodeLimboConfiguration(protocol)).toBeUndefined();
  }
});

test("the player arrives above the floor", () => {
  expect(platformHeight).toBe(209);
  expect(floorBlock(Math.floor(arrival.x), 0, Math.floor(arrival.z))).toBe("stone");
  expect(arrival.y).toBeGreaterThan(platformHeight + 16);
});
