import {
  encodeDouble,
  encodeFrame,
  encodeShort,
  encodeVarInt,
  FieldReader,
} from "@palisade/minecraft-protocol/java/fields";
import { invalidAddressStatus } from "@palisade/minecraft-protocol/java/limbo/resource-pack";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";

const nothing: Buffer = Buffer.alloc(0);
const [toClient, toServer] = [packetIds.play.toClient, packetIds.play.toServer];
const uuidBytes = 16;
const boatGravity = 0.04;
/** Yaw and pitch. */
const facing = Buffer.alloc(8);
const noKeys = Buffer.alloc(4 + 4 + 1);
const paddlesAtRest = Buffer.of(0, 0);
const notStanding = Buffer.of(0);

interface Boat {
  readonly x: number;
  y: number;
  readonly z: number;
  speed: number;
}

/**
 * Answers that a game gives without its player: the selected place of the hotbar, a boat, a resource
 * pack. For LimboClient, with the same limits.
 */
export class LimboReflexes {
  readonly #protocol: number;
  readonly #boats = new Map<number, Boat>();
  #ridden: Boat | undefined;
  #selected = 0;
  #told = 0;

  constructor(protocol: number) {
    this.#protocol = protocol;
  }

  /** @returns what the game says at once */
  hear(id: number, bytes: Buffer): Buffer {
    const protocol = this.#protocol;
    const fields = new FieldReader(bytes, 0, bytes.length);
    switch (id) {
      case toClient.heldItem(protocol):
        this.#selected = fields.unsignedByte();
        return nothing;
      case toClient.spawnEntity(protocol):
        this.#spawn(fields);
        return nothing;
      case toClient.passengers(protocol): {
        const boat = this.#boats.get(fields.varInt());
        this.#ridden = fields.varInt() === 0 ? undefined : boat;
        return nothing;
      }
      case toClient.addResourcePack(protocol):
        return this.#answerPack(fields);
      default:
        return nothing;
    }
  }

  /** One tick of the game. `rides`: the player tells no position of their own. */
  tick(): { readonly packets: Buffer; readonly rides: boolean } {
    const packets = [this.#tellSelected()];
    if (this.#ridden !== undefined) packets.push(this.#ride(this.#ridden));
    return { packets: Buffer.concat(packets), rides: this.#ridden !== undefined };
  }

  #tellSelected(): Buffer {
    if (this.#selected === this.#told) return nothing;
    this.#told = this.#selected;
    return encodeFrame(toServer.heldItem(this.#protocol) ?? -1, encodeShort(this.#told));
  }

  #spawn(fields: FieldReader): void {
    const entityId = fields.varInt();
    fields.skip(uuidBytes);
    if (atLeast(this.#protocol, "1.14")) fields.varInt();
    else fields.skip(1);
    const [x, y, z] = [fields.double(), fields.double(), fields.double()];
    this.#boats.set(entityId, { x, y, z, speed: 0 });
  }

  #ride(boat: Boat): Buffer {
    const protocol = this.#protocol;
    boat.speed += boatGravity;
    boat.y -= boat.speed;
    const place = [encodeDouble(boat.x), encodeDouble(boat.y), encodeDouble(boat.z), facing];
    if (atLeast(protocol, "1.21.4")) place.push(notStanding);
    const tellsKeys = !atLeast(protocol, "1.21.2");
    return Buffer.concat([
      encodeFrame(toServer.boatPaddles(protocol) ?? -1, paddlesAtRest),
      encodeFrame(toServer.look(protocol) ?? -1, facing, notStanding),
      tellsKeys ? encodeFrame(toServer.playerInput(protocol) ?? -1, noKeys) : nothing,
      encodeFrame(toServer.vehicleMove(protocol) ?? -1, ...place),
    ]);
  }

  #answerPack(fields: FieldReader): Buffer {
    if (!atLeast(this.#protocol, "1.20.3")) return nothing;
    const [uuid, status] = [fields.bytes(uuidBytes), encodeVarInt(invalidAddressStatus)];
    return encodeFrame(toServer.resourcePackStatus(this.#protocol) ?? -1, uuid, status);
  }
}
