import { expect, test } from "vitest";
import {
  describedPlayPackets,
  describedReleases,
  itemName,
  type DescribedPacket,
} from "@palisade/testing/minecraft/described-packets";
import { componentFromText } from "../chat.ts";
import { readFrame } from "../frame.ts";
import { knownReleases } from "../versions.ts";
import { encodePlayerPosition } from "./arrival.ts";
import { encodeChatMessage } from "./chat-message.ts";
import { hotbarSlots } from "./held-item.ts";
import { encodeMapPicture, encodeMapsInHotbar, mapSide } from "./map.ts";
import { arrival } from "./place.ts";

/** Our packets, read by protodef from minecraft-data's descriptions, to their last byte. */

const mapId = 300;
const colours = Uint8Array.from({ length: mapSide * mapSide }, (_, n) => (n * 7) % 140);
const releases = describedReleases();

/** All packets in the bytes, which must end with the last one. */
function readAll(version: string, bytes: Buffer | undefined): DescribedPacket[] {
  const packets = describedPlayPackets(version, "toClient");
  if (bytes === undefined) throw new Error("no packet");
  const read: DescribedPacket[] = [];
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, 0xffff);
    if (frame.kind !== "packet") throw new Error(frame.kind);
    // The id has one byte in every version.
    read.push(packets.read(bytes.subarray(frame.bodyStart - 1, frame.bodyEnd)));
    at = frame.bodyEnd;
  }
  return read;
}

test.each(releases)("a client of $version sees the whole picture", ({ version, protocol }) => {
  const read = readAll(version, encodeMapPicture(protocol, mapId, colours));
  const shown = new Uint8Array(colours.length);
  for (const { name, params } of read) {
    expect(name).toBe("map");
    const data = params["data"] as Uint8Array;
    expect(params["itemDamage"]).toBe(mapId);
    if (read.length === 1) {
      // Both are bytes, signed in some descriptions.
      expect([Number(params["columns"]) & 0xff, Number(params["rows"]) & 0xff]).toEqual([128, 128]);
      expect(params).toMatchObject({ scale: 0, x: 0, y: 0 });
      // No list, or an empty one.
      expect(params["icons"] ?? []).toEqual([]);
      shown.set(data);
    } else {
      const [kind, x = 0, top] = data;
      expect([kind, top, data.length]).toEqual([0, 0, 3 + mapSide]);
      for (let y = 0; y < mapSide; y++) shown[y * mapSide + x] = data[3 + y] ?? 0;
    }
  }
  expect(read.length === 1 || read.length === mapSide).toBe(true);
  expect(Buffer.from(shown).equals(colours)).toBe(true);
});

test.each(releases)(
  "a client of $version holds the map in every place of its hotbar",
  ({ version, protocol }) => {
    const read = readAll(version, encodeMapsInHotbar(protocol, mapId, 4));
    expect(read.pop()).toEqual({ name: "held_item_slot", params: { slot: 4 } });
    const places = read.map(({ params }) => params["slot"]);
    expect(places).toEqual(Array.from({ length: hotbarSlots }, (_, place) => 36 + place));
    for (const { name, params } of read) {
      expect(name).toBe("set_slot");
      expect(Number(params["windowId"])).toBe(0);
      const item = params["item"] as Readonly<Record<string, unknown>>;
      expect(item["itemCount"]).toBe(1);
      const number = item["itemId"] ?? item["blockId"];
      // minecraft-data has the items of 1.13 for 1.13.1, where five came before the map.
      if (version === "1.13.1") expect(number).toBe(613);
      else expect(itemName(version, number)).toBe("filled_map");
      expect(mapOf(item)).toBe(mapId);
    }
  },
);

/** The map that an item is, in the three forms that versions have. */
function mapOf(item: Readonly<Record<string, unknown>>): unknown {
  const components = item["components"] as { type: string; data: unknown }[] | undefined;
  if (components !== undefined) {
    expect(components.map(({ type }) => type)).toEqual(["map_id"]);
    return components[0]?.data;
  }
  if (item["itemDamage"] !== undefined) return item["itemDamage"];
  const tag = item["nbtData"] as { value: Record<string, { type: string; value: unknown }> };
  expect(Object.keys(tag.value)).toEqual(["map"]);
  expect(tag.value["map"]?.type).toBe("int");
  return tag.value["map"]?.value;
}

test.each(releases)("a client of $version reads a line in its chat", ({ version, protocol }) => {
  const [line, ...others] = readAll(version, encodeChatMessage(protocol, componentFromText("Hé")));
  expect(others).toEqual([]);
  const { message, content = message, ...rest } = line?.params ?? {};
  const text: unknown = typeof content === "string" ? JSON.parse(content) : content;
  expect(text).toMatchObject(
    typeof content === "string"
      ? { text: "Hé" }
      : { type: "compound", value: { text: { type: "string", value: "Hé" } } },
  );
  expect([1, undefined]).toContain(rest["position"] ?? rest["type"]);
  expect(rest["isActionBar"] ?? false).toBe(false);
});

test.each(releases)("a client of $version looks down at the map", ({ version, protocol }) => {
  const [look, ...others] = readAll(version, encodePlayerPosition(protocol, arrival, 1, 75));
  expect(others).toEqual([]);
  const { x, z } = arrival;
  expect(look).toMatchObject({ name: "position", params: { x, z, yaw: 0, pitch: 75 } });
});

test("every known version from 1.7.2 on can be shown a map, and none before", () => {
  for (const { version, protocol } of knownReleases) {
    const isOld = ["1.5.2", "1.6", "1.6.1", "1.6.2", "1.6.3", "1.6.4"].includes(version);
    expect(encodeMapPicture(protocol, mapId, colours) === undefined, version).toBe(isOld);
    expect(encodeMapsInHotbar(protocol, mapId, 0) === undefined, version).toBe(isOld);
    expect(encodeChatMessage(protocol, componentFromText("")) === undefined, version).toBe(isOld);
  }
});

test("a picture takes little more than its pixels", () => {
  for (const { protocol } of releases) {
    const bytes = encodeMapPicture(protocol, mapId, colours)?.length ?? 0;
    // 1.7 has a head for each column.
    expect(bytes - colours.length).toBeLessThanOrEqual(protocol < 47 ? mapSide * 16 : 24);
    expect(encodeMapsInHotbar(protocol, mapId, 0)?.length).toBeLessThanOrEqual(hotbarSlots * 32);
  }
});
