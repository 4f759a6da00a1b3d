import { FrameScanner } from "@palisade/minecraft-protocol/java/frame-scanner";

const encryptionId = 1;
const successId = 2;
const compressionId = 3;

/**
 * Watches the announced sizes of a player's packets from Login Start until the connection is
 * encrypted: until the answer to the server's Encryption Request or, if there is none, until the
 * server lets the player in. For servers that compress their packets before that (Fabric's, without
 * accounts) it ends with the first compressed one, which may be the one that lets the player in.
 */
export class LoginWatch {
  readonly #bytesMax: number;
  readonly #player = new FrameScanner((bytes, id) => this.#meetPlayers(bytes, id));
  readonly #server = new FrameScanner((_bytes, id) => this.#meetServers(id));
  #excess: number | undefined;
  #isAsked = false;
  #isCompressed = false;
  #isOver = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Further packets are not checked. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The size that the first packet above the limit has announced. */
  get excess(): number | undefined {
    return this.#excess;
  }

  /** The server's packets to the player, up to here. */
  get isCompressed(): boolean {
    return this.#isCompressed;
  }

  /** Whether the player has got the server's packets completely. */
  get isBetweenPackets(): boolean {
    return this.#server.isBetweenFrames;
  }

  /** Bytes of the player, beginning with those right behind Login Start. */
  readPlayer(bytes: Uint8Array): void {
    if (!this.#isOver) this.#player.read(bytes);
  }

  readServer(bytes: Uint8Array): void {
    if (!this.#isOver) this.#server.read(bytes);
  }

  #meetPlayers(bytes: number, id: number | undefined): boolean {
    if (bytes > this.#bytesMax) this.#excess = bytes;
    else if (!this.#isAsked || id !== encryptionId) return true;
    return this.#end();
  }

  #meetServers(id: number | undefined): boolean {
    if (id === encryptionId) this.#isAsked = true;
    if (id === successId || id === undefined) return this.#end();
    if (id === compressionId && !this.#isCompressed) {
      this.#isCompressed = true;
      this.#server.compress();
    }
    return true;
  }

  #end(): false {
    this.#isOver = true;
    return false;
  }
}
