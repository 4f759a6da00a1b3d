import { expect, test } from "vitest";
import {
  describedPlayPackets,
  describedReleases,
  entityName,
  type DescribedPacket,
  type DescribedPackets,
} from "@palisade/testing/minecraft/described-packets";
import { readFrame } from "../frame.ts";
import { atLeast, currentProtocol } from "../versions.ts";
import { canSteerBoat, encodeBoat, encodeEntityRemoval, encodePassengers } from "./boat.ts";
import { encodeHeldItem, hotbarSlots } from "./held-item.ts";
import { answersResourcePack, encodeInvalidResourcePack } from "./resource-pack.ts";

/** Our packets, read by protodef from minecraft-data's descriptions, to their last byte. */

const boat = { entityId: 1_000_000, x: 8.25, y: 100.5, z: 7.75 };
const uuid = Buffer.from("00112233445566778899aabbccddeeff", "hex");

function read(packets: DescribedPackets, frame: Buffer | undefined): DescribedPacket {
  if (frame === undefined) throw new Error("no packet");
  const { kind, ...found } = readFrame(frame, 0, 0xffff);
  if (kind !== "packet" || !("bodyEnd" in found)) throw new Error(kind);
  expect(found.bodyEnd).toBe(frame.length);
  // The length takes one byte for packets as short as these.
  return packets.read(frame.subarray(1));
}

const releases = describedReleases();

test.each(releases)(
  "for a client of $version every place of the hotbar can be selected",
  ({ version, protocol }) => {
    const packets = describedPlayPackets(version, "toClient");
    for (let slot = 0; slot < hotbarSlots; slot++) {
      expect(read(packets, encodeHeldItem(protocol, slot))).toEqual({
        name: "held_item_slot",
        params: { slot },
      });
    }
  },
);

const withBoats = releases.filter(({ protocol }) => canSteerBoat(protocol));
test.each(withBoats)(
  "for a client of $version a boat appears at rest, takes the player in and goes",
  ({ version, protocol }) => {
    const packets = describedPlayPackets(version, "toClient");
    const { name, params } = read(packets, encodeBoat(protocol, boat));
    expect(name).toBe("spawn_entity");
    expect(params).toMatchObject(boat);
    // Three numbers of 16 bits, or the packed form of later versions.
    expect(params["velocity"]).toEqual({ x: 0, y: 0, z: 0 });
    // Before 1.14 the packet has numbers of its own.
    if (atLeast(protocol, "1.14")) {
      expect(entityName(version, params["type"])).toMatch(/^(oak_)?boat$/);
    } else expect(params["type"]).toBe(1);
    for (const passengers of [[1], []]) {
      expect(read(packets, encodePassengers(protocol, boat.entityId, passengers))).toEqual({
        name: "set_passengers",
        params: { entityId: boat.entityId, passengers },
      });
    }
    expect(read(packets, encodeEntityRemoval(protocol, boat.entityId))).toEqual(
      version === "1.17"
        ? { name: "destroy_entity", params: { entityId: boat.entityId } }
        : { name: "entity_destroy", params: { entityIds: [boat.entityId] } },
    );
  },
);

const withPacks = releases.filter(({ protocol }) => answersResourcePack(protocol));
test.each(withPacks)(
  "for a client of $version a resource pack has no address, and is not forced on it",
  ({ version, protocol }) => {
    const packets = describedPlayPackets(version, "toClient");
    const { name, params } = read(packets, encodeInvalidResourcePack(protocol, uuid));
    expect(name).toBe("add_resource_pack");
    expect(params).toMatchObject({ url: "none://none/", hash: "", forced: false });
    expect(String(params["uuid"]).replaceAll("-", "")).toBe(uuid.toString("hex"));
    expect(params["promptMessage"]).toBeUndefined();
  },
);

test("clients before 1.9 get no boat, and clients before 1.20.3 no resource pack", () => {
  for (const protocol of [4, 5, 47]) {
    expect(canSteerBoat(protocol)).toBe(false);
    expect(encodeBoat(protocol, boat)).toBeUndefined();
    expect(encodePassengers(protocol, 1, [])).toBeUndefined();
    expect(encodeEntityRemoval(protocol, 1)).toBeUndefined();
  }
  expect(encodeInvalidResourcePack(764, uuid)).toBeUndefined();
  expect(encodeInvalidResourcePack(47, uuid)).toBeUndefined();
});

test("a version after the table gets the newest forms", () => {
  const later = 99_999;
  expect(encodeBoat(later, boat)).toEqual(encodeBoat(currentProtocol, boat));
  expect(encodeHeldItem(later, 3)).toEqual(encodeHeldItem(currentProtocol, 3));
});
