import { encodePlayerPosition } from "@palisade/minecraft-protocol/java/limbo/arrival";
import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import type { Position } from "@palisade/minecraft-protocol/java/limbo/place";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import { placeParts } from "./places.ts";
import type { StepContext } from "./step.ts";

/** Ids have 31 bits, and a real server counts up from 1. */
const teleportIdEnd = 0x7fff_ffff;
/** In blocks: 1.7 computes the height of the feet from that of the eyes. */
const tolerance = 1e-6;

export type TeleportVerdict = "on" | "arrived" | "wrong-echo" | "wrong-position";

/**
 * One teleport: the client confirms its id, and the next position that it sends is the place. Before
 * 1.9 there is no id, and the place alone, which no client can guess, tells the answer.
 */
export class TeleportCheck {
  readonly #protocol: number;
  // Whole numbers, which take no memory of their own.
  readonly #x: number;
  readonly #y: number;
  readonly #z: number;
  readonly #id: number;
  #isConfirmed = false;

  /** @param to a place of `placeAbove` */
  constructor({ protocol, random }: Pick<StepContext, "protocol" | "random">, to: Position) {
    this.#x = to.x * placeParts;
    this.#y = to.y * placeParts;
    this.#z = to.z * placeParts;
    this.#id = random(1, teleportIdEnd);
    this.#protocol = protocol;
  }

  get place(): Position {
    return { x: this.#x / placeParts, y: this.#y / placeParts, z: this.#z / placeParts };
  }

  /** Not kept: a small buffer is a part of a large one, which would stay in memory with it. */
  get packets(): Buffer {
    return encodePlayerPosition(this.#protocol, this.place, this.#id) ?? Buffer.alloc(0);
  }

  take(packet: LimboPacket): TeleportVerdict {
    if (packet.kind === "teleport-confirmed") return this.#took(packet.teleportId);
    if (packet.kind !== "moved") return "on";
    const confirms = this.#confirms;
    // Positions before the confirmation are of the place before.
    if (confirms && !this.#isConfirmed) return "on";
    if (isAt(packet, this.place)) return "arrived";
    return confirms ? "wrong-position" : "on";
  }

  get #confirms(): boolean {
    return atLeast(this.#protocol, "1.9");
  }

  #took(teleportId: number): TeleportVerdict {
    // A second one, without the place between them.
    if (this.#isConfirmed) return "wrong-position";
    if (!this.#confirms || teleportId !== this.#id) return "wrong-echo";
    this.#isConfirmed = true;
    return "on";
  }
}

/** Written so that NaN is nowhere. */
function isAt(at: Position, place: Position): boolean {
  return (
    Math.abs(at.x - place.x) < tolerance &&
    Math.abs(at.y - place.y) < tolerance &&
    Math.abs(at.z - place.z) < tolerance
  );
}
