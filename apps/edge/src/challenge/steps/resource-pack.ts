import type { LimboPacket } from "@palisade/minecraft-protocol/java/limbo/client-packets";
import {
  encodeInvalidResourcePack,
  invalidAddressStatus,
} from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import type { ChallengeStep, StepContext, StepResult } from "./step.ts";

const words = 4;
const wordEnd = 2 ** 32;

/**
 * The edge offers a resource pack with a random UUID at an address that no game takes, and the client
 * answers that the address is not valid. From 1.20.3 on: `answersResourcePack`.
 *
 * Automatic: a game checks the address before it asks the player anything, so no dialog appears and
 * nothing is downloaded, whatever the player has chosen for resource packs. Bots that accept or decline
 * every pack give a wrong answer.
 */
export class ResourcePackStep implements ChallengeStep {
  readonly name = "resource-pack";
  readonly #protocol: number;
  /** As hexadecimal digits, which take less memory than bytes. */
  readonly #uuid: string;

  constructor({ protocol, random }: StepContext) {
    this.#protocol = protocol;
    const uuid = Buffer.alloc(4 * words);
    for (let word = 0; word < words; word++) uuid.writeUInt32BE(random(0, wordEnd), 4 * word);
    this.#uuid = uuid.toString("hex");
  }

  begin(): Buffer {
    return (
      encodeInvalidResourcePack(this.#protocol, Buffer.from(this.#uuid, "hex")) ?? Buffer.alloc(0)
    );
  }

  take(packet: LimboPacket): StepResult {
    // All teleports were confirmed before this step began.
    if (packet.kind === "teleport-confirmed") return "wrong-echo";
    if (packet.kind !== "resource-pack-status") return "on";
    const isOurs = packet.uuid === this.#uuid;
    return isOurs && packet.status === invalidAddressStatus ? "passed" : "wrong-echo";
  }
}
