import { connect, type Socket } from "node:net";
import {
  encodeConfigurationBrand,
  encodeConfigurationInformation,
} from "@palisade/minecraft-protocol/java/configuration";
import { encodeDouble, encodeFrame, FieldReader } from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { protocol } from "#src/edge/sample-shields.ts";

const { configuration, play } = packetIds;
const frameBytesMax = 2_000_000;
const loginSuccessId = 2;
const nothing: Buffer = Buffer.alloc(0);
/** Connections that are opened at the same time. */
const parallel = 64;

const information = {
  locale: "en_us",
  viewDistance: 10,
  chatMode: 0,
  chatColours: true,
  skinParts: 127,
  mainHand: 1,
};
const entry = Buffer.concat([
  loginAcknowledged,
  encodeConfigurationBrand(protocol, "vanilla") ?? nothing,
  encodeConfigurationInformation(protocol, information) ?? nothing,
]);

/** `asked`: has its first answer and says no more. `standing`: stands in the limbo, in a step of the check. */
export type Reach = "asked" | "standing";

export interface CheckedClients {
  /** Clients that the edge has hung up on. */
  readonly lost: number;
  stop(): void;
}

/** New players of 1.21 in the edge's check, each with its own name and network. */
export async function openChecked(
  port: number,
  logins: readonly Buffer[],
  reach: Reach,
  network: number,
): Promise<CheckedClients> {
  const clients: CheckedClient[] = [];
  let next = 0;
  const inTurn = async (): Promise<void> => {
    for (let n = next++; n < logins.length; n = next++) {
      const localAddress = `127.${network + (n >> 8)}.${n & 255}.7`;
      const socket = connect({ host: "127.0.0.1", port, localAddress, noDelay: true });
      const client = new CheckedClient(socket, logins[n] ?? nothing, reach);
      clients.push(client);
      await client.arrived;
    }
  };
  await Promise.all(Array.from({ length: parallel }, inTurn));
  return {
    get lost() {
      return clients.filter(({ isOpen }) => !isOpen).length;
    },
    stop: () => clients.forEach((client) => client.leave()),
  };
}

/** Answers what a game answers by itself up to the place where it is to wait. */
class CheckedClient {
  readonly #socket: Socket;
  readonly #reach: Reach;
  readonly #arrival = Promise.withResolvers<void>();
  #held: Buffer = nothing;
  #state: "login" | "configuration" | "play" | "standing" = "login";
  isOpen = true;

  constructor(socket: Socket, login: Buffer, reach: Reach) {
    this.#socket = socket;
    this.#reach = reach;
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => this.#heard(bytes));
    socket.once("close", () => this.#closed());
    socket.write(login);
  }

  /** @throws when the edge hangs up before */
  get arrived(): Promise<void> {
    return this.#arrival.promise;
  }

  leave(): void {
    this.#socket.destroy();
  }

  #closed(): void {
    this.isOpen = false;
    this.#arrival.reject(new Error(`the edge hung up on a client in ${this.#state}`));
  }

  #heard(bytes: Buffer): void {
    if (this.#reach === "asked") return this.#arrival.resolve();
    this.#held = Buffer.concat([this.#held, bytes]);
    for (;;) {
      const frame = readFrame(this.#held, 0, frameBytesMax);
      if (frame.kind !== "packet") break;
      const fields = this.#held.subarray(frame.bodyStart, frame.bodyEnd);
      this.#held = this.#held.subarray(frame.bodyEnd);
      this.#answer(frame.id, fields);
    }
    // A view would keep the whole chunk.
    this.#held = Buffer.from(this.#held);
  }

  #answer(id: number, fields: Buffer): void {
    if (this.#state === "login" && id === loginSuccessId) {
      this.#state = "configuration";
      this.#socket.write(entry);
    } else if (this.#state === "configuration") this.#configure(id, fields);
    else if (this.#state !== "login") this.#play(id, fields);
  }

  /** The first packet behind the arrival belongs to a step, which gets no answer. */
  #play(id: number, fields: Buffer): void {
    if (id === play.toClient.keepAlive(protocol)) {
      this.#socket.write(encodeFrame(play.toServer.keepAlive(protocol) ?? -1, fields));
    } else if (this.#state === "standing") this.#arrival.resolve();
    else if (id === play.toClient.playerPosition(protocol)) {
      this.#state = "standing";
      this.#socket.write(moved(fields));
    }
  }

  #configure(id: number, fields: Buffer): void {
    const { toClient, toServer } = configuration;
    if (id === toClient.keepAlive(protocol)) {
      this.#socket.write(encodeFrame(toServer.keepAlive(protocol) ?? -1, fields));
    } else if (id === toClient.finishConfiguration(protocol)) {
      this.#state = "play";
      this.#socket.write(encodeFrame(toServer.finishConfiguration(protocol) ?? -1));
    }
  }
}

/** A teleport of 1.21 is confirmed, and the client is there. */
function moved(position: Buffer): Buffer {
  const fields = new FieldReader(position, 0, position.length);
  const place = [fields.double(), fields.double(), fields.double()].map(encodeDouble);
  const view = fields.bytes(8);
  fields.skip(1);
  const id = position.subarray(position.length - fields.remaining);
  const { teleportConfirm, positionAndLook } = play.toServer;
  return Buffer.concat([
    encodeFrame(teleportConfirm(protocol) ?? -1, id),
    encodeFrame(positionAndLook(protocol) ?? -1, ...place, view, Buffer.of(0)),
  ]);
}
