import { FrameScanner } from "@palisade/minecraft-protocol/java/frame-scanner";

const encryptionId = 1;
const successId = 2;
const compressionId = 3;

/**
 * How large a player's packets announce themselves from his Login Start until his connection is
 * encrypted: with the answer to the server's Encryption Request or, where it asks for none, as it
 * lets him in. Of servers that pack their packets before (Fabric's, without accounts) it ends with
 * the first packed one: that may be the one that lets him in.
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

  /** Nothing that follows is looked at. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What the first packet above the limit has announced. */
  get excess(): number | undefined {
    return this.#excess;
  }

  /** Of the server's packets to the player, up to here. */
  get isCompressed(): boolean {
    return this.#isCompressed;
  }

  /** Whether the player has had the server's packets whole. */
  get isBetweenPackets(): boolean {
    return this.#server.isBetweenFrames;
  }

  /** The player has sent these; first what came with his Login Start, behind it. */
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
