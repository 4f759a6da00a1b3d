import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";

/**
 * Packets as minecraft-data describes them, written and read by protodef as node-minecraft-protocol does
 * it: a second implementation to hold ours against. The descriptions are interpreted, not compiled,
 * which is the cheaper for a few packets of each version.
 */

const peers = fileURLToPath(new URL("../../../../tests/peers/package.json", import.meta.url));
const requirePeer = createRequire(peers);

/** The parts of the libraries that are used here; they have no types, or wrong ones. */
interface DescribedVersion {
  readonly version: { readonly version: number };
  readonly protocol: object;
  readonly entities: Readonly<Record<number, { readonly name: string } | undefined>>;
  readonly items: Readonly<Record<number, { readonly name: string } | undefined>>;
}
interface Interpreter {
  addTypes(types: object): void;
  addProtocol(protocol: object, place: readonly string[]): void;
  createPacketBuffer(type: "packet", packet: DescribedPacket): Buffer;
  parsePacketBuffer(
    type: "packet",
    bytes: Buffer,
  ): { readonly data: DescribedPacket; readonly metadata: { readonly size: number } };
}

export interface DescribedPacket {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface DescribedPackets {
  /** @returns the packet's id and fields, without the length of a frame */
  write(name: string, params: Readonly<Record<string, unknown>>): Buffer;
  /** @param packet id and fields; throws if bytes are left over */
  read(packet: Buffer): DescribedPacket;
}

/** One release for each protocol number that minecraft-data describes, oldest first. */
export function describedReleases(): { readonly version: string; readonly protocol: number }[] {
  const seen = new Set<number>();
  return knownReleases.filter(({ version, protocol }) => {
    const isNew = !seen.has(protocol) && descriptionOf(version)?.version.version === protocol;
    if (isNew) seen.add(protocol);
    return isNew;
  });
}

function descriptionOf(version: string): DescribedVersion | undefined {
  const data = requirePeer("minecraft-data") as (version: string) => DescribedVersion | null;
  return data(version) ?? undefined;
}

/** @param version one of `describedReleases` */
export function describedPlayPackets(
  version: string,
  direction: "toClient" | "toServer",
  state: "play" | "configuration" = "play",
): DescribedPackets {
  const description = descriptionOf(version);
  if (description === undefined) throw new Error(`no description of ${version}`);
  const interpreter = newInterpreter();
  interpreter.addProtocol(description.protocol, [state, direction]);
  return {
    write: (name, params) => interpreter.createPacketBuffer("packet", { name, params }),
    read: (packet) => {
      const { data, metadata } = interpreter.parsePacketBuffer("packet", packet);
      if (metadata.size !== packet.length) {
        throw new Error(`${data.name}: read ${metadata.size} of ${packet.length} bytes`);
      }
      return data;
    },
  };
}

/** Name of an entity type, such as `boat`. */
export function entityName(version: string, type: unknown): string | undefined {
  return typeof type === "number" ? descriptionOf(version)?.entities[type]?.name : undefined;
}

/** Name of an item, such as `filled_map`. */
export function itemName(version: string, item: unknown): string | undefined {
  return typeof item === "number" ? descriptionOf(version)?.items[item]?.name : undefined;
}

function newInterpreter(): Interpreter {
  // The library's own dependencies, so that they are the versions that it uses.
  const fromLibrary = createRequire(requirePeer.resolve("minecraft-protocol/package.json"));
  const { ProtoDef } = fromLibrary("protodef") as {
    ProtoDef: new (checks: boolean) => Interpreter;
  };
  const nbt = fromLibrary("prismarine-nbt") as {
    addTypesToInterpreter(endian: "big", interpreter: Interpreter): void;
  };
  const interpreter = new ProtoDef(false);
  interpreter.addTypes(fromLibrary("./src/datatypes/minecraft") as object);
  nbt.addTypesToInterpreter("big", interpreter);
  return interpreter;
}
