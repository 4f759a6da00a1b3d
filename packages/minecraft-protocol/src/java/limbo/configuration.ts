import { encodeFrame, encodeString, encodeVarInt } from "../fields.ts";
import { packetIds } from "../packet-ids.ts";
import { atLeast, currentProtocol, isKnown } from "../versions.ts";
import { neededTagsOf, registriesOf } from "./registries.ts";

/**
 * The configuration state up to its end, from 1.20.2 on: features, registries, tags, Finish
 * Configuration. Source: minecraft.wiki, "Java Edition protocol/Packets", Configuration, and its
 * history.
 *
 * From 1.20.5 on a server can ask for known packs and leave out what the client has in its own files.
 * Clients with mods and other implementations lack them, so the limbo never asks and sends every entry
 * in full; a client that was not asked takes nothing from its own files.
 *
 * The client answers with the end of its configuration (`configuration-finished` in configuration.ts)
 * and is then in the play state.
 */

const ids = packetIds.configuration.toClient;

/** Encoded by protocol: at most as many as there are releases. */
const configurations = new Map<number, Buffer>();

/**
 * The bytes are the same for all players of a version and are made once: do not change them.
 *
 * @returns undefined for versions without a configuration state
 */
export function encodeLimboConfiguration(protocol: number): Buffer | undefined {
  const nearest = isKnown(protocol) ? protocol : currentProtocol;
  if (!atLeast(protocol, "1.20.2")) return undefined;
  const known = configurations.get(nearest);
  if (known !== undefined) return known;
  const bytes = encodeAll(nearest);
  configurations.set(nearest, bytes);
  return bytes;
}

function encodeAll(protocol: number): Buffer {
  const [features, registry, tags] = [
    ids.featureFlags(protocol),
    ids.registryData(protocol),
    ids.tags(protocol),
  ];
  const finish = ids.finishConfiguration(protocol);
  if (features === undefined || registry === undefined || tags === undefined) return nothing;
  if (finish === undefined) return nothing;
  const neededTags = neededTagsOf(protocol);
  return Buffer.concat([
    encodeFrame(features, encodeVarInt(1), encodeString("minecraft:vanilla")),
    ...registriesOf(protocol).map((registryData) => encodeFrame(registry, registryData)),
    neededTags === undefined ? nothing : encodeFrame(tags, neededTags),
    encodeFrame(finish),
  ]);
}

const nothing = Buffer.alloc(0);
