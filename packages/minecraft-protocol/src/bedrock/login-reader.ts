import { readFrameSet, reliabilities, type Frame } from "./frames.ts";
import { batchId, readPackets, unpackBatch } from "./game-batch.ts";
import {
  announcedIdentityBytes,
  identityBytesMax,
  readLogin,
  readSettingsRequest,
} from "./game-packets.ts";
import { readPlayerLogin, type PlayerLogin } from "./login/player-login.ts";
import { SplitMessages, type MessageStart } from "./split-messages.ts";

/** Datagrams until the start of a login has arrived; it is among the first ten when none is lost. */
const datagramsMax = 512;
/** Messages that may be unpacked; a client sends two until it has logged in, and may repeat them. */
const messagesMax = 16;
/** The start of a login packet up to the end of its chain. */
const contentMax = identityBytesMax + 64;

/**
 * Reads from the datagrams of a client, which are relayed as they are, which player logs in. Only the
 * start of the login is kept, at most 40 KiB for two messages each; the player's skin, which follows the
 * chain and makes up most of the packet, is not.
 *
 * The reader believes what it sees. A client may show it one login and have the backend drop it for
 * another, so a valid chain proves that the client has a real account's chain, not that the backend will
 * let in the same player.
 */
export class LoginReader {
  readonly #messages = new SplitMessages();
  #protocol: number | undefined;
  #login: PlayerLogin | undefined;
  #datagrams = 0;
  #messageCount = 0;
  #identityBytes = 0;
  #messageBytes = 0;
  #isOver = false;

  get login(): PlayerLogin | undefined {
    return this.#login;
  }

  /** The greatest length that a login has announced for its identity; 0 before one has come. */
  get identityBytes(): number {
    return this.#identityBytes;
  }

  /** The greatest length of a message by the number of its parts, as the first one of them has it. */
  get messageBytes(): number {
    return this.#messageBytes;
  }

  /** Further datagrams are not read: the login is known, or the client does not log in as the game does. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param datagram from the client; not kept and not changed */
  receive(datagram: Buffer): void {
    if (this.#isOver) return;
    const set = readFrameSet(datagram);
    for (const frame of set?.frames ?? []) this.#take(frame);
    this.#datagrams += 1;
    if (this.#datagrams >= datagramsMax || this.#messageCount >= messagesMax) this.#end();
  }

  #take(frame: Frame): void {
    if (!isGameChannel(frame) || this.#isOver || this.#messageCount >= messagesMax) return;
    if (frame.split === undefined) {
      this.#takeMessage({ bytes: frame.body, isWhole: true });
      return;
    }
    this.#messageBytes = Math.max(this.#messageBytes, frame.split.count * frame.body.length);
    const start = this.#messages.add(frame.split, frame.body);
    if (start === "too-many") this.#end();
    else if (start !== undefined) this.#takeMessage(start);
  }

  #takeMessage({ bytes, isWhole }: MessageStart): void {
    if (bytes[0] !== batchId) return;
    this.#messageCount += 1;
    for (const start of unpackBatch(bytes, isWhole, this.#protocol, contentMax)) {
      for (const packet of readPackets(start) ?? []) {
        const protocol = readSettingsRequest(packet);
        if (protocol !== undefined) {
          this.#protocol ??= protocol;
          return;
        }
        this.#identityBytes = Math.max(this.#identityBytes, announcedIdentityBytes(packet));
        // Longer than any, and not read any further.
        if (this.#identityBytes > identityBytesMax) {
          this.#end();
          return;
        }
        const login = readLogin(packet);
        const player = typeof login === "object" ? readPlayerLogin(login) : undefined;
        if (player !== undefined) {
          this.#login = player;
          this.#end();
          return;
        }
      }
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#messages.clear();
  }
}

/** The game sends all its packets reliable and ordered on the first channel. */
function isGameChannel({ reliability, order }: Frame): boolean {
  return (
    order?.channel === 0 &&
    (reliability === reliabilities.reliableOrdered ||
      reliability === reliabilities.reliableOrderedWithReceipt)
  );
}
