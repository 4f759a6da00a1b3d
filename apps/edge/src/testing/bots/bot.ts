import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { encodeCommand } from "../chat-packets.ts";
import { LimboClient } from "../limbo-client.ts";

/** A client behind Login Start: bytes in, bytes out. It knows neither socket nor clock. */
export interface Bot {
  /** @returns what it says to that */
  hear(bytes: Buffer): Buffer;
  /** @returns what it says in a tick of its game */
  tick(): Buffer;
  /** It sees no way to go on, and leaves. */
  readonly hasGivenUp?: boolean;
}

const nothing: Buffer = Buffer.alloc(0);
const spelledCode = /((?:[A-Z0-9] ){3,4}[A-Z0-9])(?![A-Z0-9 ])/;

/** Logs in, and says nothing more. */
export const silentBot: Bot = { hear: () => nothing, tick: () => nothing };

export interface GameOptions {
  readonly protocol: number;
  readonly falls?: boolean;
  readonly collides?: boolean;
  readonly tells?: boolean;
  /** Asks for the code of a captcha as text, and types it; others leave when they see a captcha. */
  readonly reads?: boolean;
  /** Says nothing more once it is in the world. */
  readonly stalls?: boolean;
}

/** As much of a game as the options say. */
export class GameBot implements Bot {
  readonly client: LimboClient;
  readonly #options: GameOptions;
  #read = 0;
  #hasAsked = false;
  #hasGivenUp = false;

  constructor(options: GameOptions) {
    this.#options = options;
    this.client = new LimboClient(options);
  }

  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  hear(bytes: Buffer): Buffer {
    if (this.#isStalled) return nothing;
    const answer = this.client.hear(bytes);
    return Buffer.concat([answer, this.#solve()]);
  }

  tick(): Buffer {
    return this.#isStalled ? nothing : this.client.tick();
  }

  get #isStalled(): boolean {
    return this.#options.stalls === true && this.client.isInWorld;
  }

  #solve(): Buffer {
    const { protocol, reads = false } = this.#options;
    const { heard } = this.client;
    const mapId = packetIds.play.toClient.map(protocol);
    const said: Buffer[] = [];
    for (; this.#read < heard.length; this.#read++) {
      const packet = heard[this.#read];
      if (packet?.state !== "play") continue;
      if (packet.id === mapId) {
        if (!reads) this.#hasGivenUp = true;
        else if (!this.#hasAsked) said.push(encodeCommand(protocol, "code text"));
        this.#hasAsked = true;
      } else if (this.#hasAsked && isShort(packet.fields)) said.push(this.#type(packet.fields));
    }
    return Buffer.concat(said);
  }

  #type(fields: Buffer): Buffer {
    const code = spelledCode.exec(fields.toString("latin1"))?.[1];
    if (code === undefined) return nothing;
    return encodeCommand(this.#options.protocol, `code ${code.replaceAll(" ", "")}`);
  }
}

/** Lines of the chat are; pictures and chunks are not. */
function isShort(fields: Buffer): boolean {
  return fields.length < 512;
}
