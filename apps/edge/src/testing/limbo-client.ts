import {
  encodeConfigurationBrand,
  encodeConfigurationInformation,
} from "@palisade/minecraft-protocol/java/configuration";
import {
  encodeDouble,
  encodeFrame,
  encodeVarInt,
  FieldReader,
} from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { platformHeight, type Position } from "@palisade/minecraft-protocol/java/limbo/place";
import {
  acknowledgesLogin,
  loginAcknowledged,
} from "@palisade/minecraft-protocol/java/login-success";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { encodePlayBrand, encodePlayInformation } from "@palisade/minecraft-protocol/java/play";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import { LimboReflexes } from "./limbo-reflexes.ts";

const frameBytesMax = 2_000_000;
const loginSuccessId = 2;
const keyBytesMax = 256;
const cookieBytesMax = 5_120;
const nothing: Buffer = Buffer.alloc(0);
const facing = Buffer.alloc(8);
const eyeHeight = Math.fround(1.62);
const drag = 0.9800000190734863;
/** A game from 1.9 on that stands still tells its place so often. */
const reminderTicks = 20;
const play = packetIds.play;
const configuration = packetIds.configuration;

export interface LimboClientOptions {
  readonly protocol: number;
  /** Falls as the game does. */
  readonly falls?: boolean;
  /** Knows the blocks of the world, and stops on them. */
  readonly collides?: boolean;
  readonly locale?: string;
  /** Tells its settings and brand. */
  readonly tells?: boolean;
}

/**
 * A game as far as the limbo asks for one, without a socket and a clock: it answers what it hears at
 * once, and moves when it is told that a tick has passed. Not for checks of how packets are encoded:
 * it trusts the edge.
 */
export class LimboClient {
  readonly #options: Required<LimboClientOptions>;
  readonly #reflexes: LimboReflexes;
  #state: "login" | "configuration" | "play" = "login";
  #rest: Buffer = nothing;
  #at: Position | undefined;
  #speed = 0;
  #isOnGround = false;
  #ticksUntold = 0;
  /** Texts of titles, as they were sent. */
  readonly titles: Buffer[] = [];
  /** Ids and fields of all packets that it has heard. */
  readonly heard: { readonly state: string; readonly id: number; readonly fields: Buffer }[] = [];

  constructor(options: LimboClientOptions) {
    this.#options = { falls: true, collides: true, locale: "en_us", tells: true, ...options };
    this.#reflexes = new LimboReflexes(options.protocol);
  }

  /** Whether it was put somewhere in the world. */
  get isInWorld(): boolean {
    return this.#at !== undefined;
  }

  /** Whether it was told to connect to another address. */
  get isTransferred(): boolean {
    return this.cookie !== undefined;
  }

  /** The cookie that it was to store before a transfer. */
  get cookie(): Buffer | undefined {
    const { protocol } = this.#options;
    const transferId = play.toClient.transfer(protocol);
    const cookieId = play.toClient.storeCookie(protocol);
    const inPlay = this.heard.filter(({ state }) => state === "play");
    if (!inPlay.some(({ id }) => id === transferId)) return undefined;
    const stored = inPlay.find(({ id }) => id === cookieId)?.fields ?? nothing;
    const fields = new FieldReader(stored, 0, stored.length);
    fields.string(keyBytesMax);
    return Buffer.from(fields.byteArray(cookieBytesMax));
  }

  get state(): "login" | "configuration" | "play" {
    return this.#state;
  }

  /** Whether a tick's last packet is its end. */
  get hasTickEnd(): boolean {
    return play.toServer.tickEnd(this.#options.protocol) !== undefined;
  }

  /** @returns the answers to all whole packets heard so far */
  hear(bytes: Buffer): Buffer {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const answers: Buffer[] = [];
    for (;;) {
      const frame = readFrame(this.#rest, 0, frameBytesMax);
      if (frame.kind !== "packet") break;
      const fields = this.#rest.subarray(frame.bodyStart, frame.bodyEnd);
      this.#rest = this.#rest.subarray(frame.bodyEnd);
      this.heard.push({ state: this.#state, id: frame.id, fields });
      answers.push(this.#answer(frame.id, fields));
    }
    return Buffer.concat(answers);
  }

  /** One tick of the game. */
  tick(): Buffer {
    const { protocol, falls } = this.#options;
    if (this.#state !== "play" || this.#at === undefined) return nothing;
    const end = play.toServer.tickEnd(protocol);
    const ended = end === undefined ? nothing : encodeFrame(end);
    const { packets, rides } = this.#reflexes.tick();
    if (!falls || rides) return Buffer.concat([packets, ended]);
    return Buffer.concat([packets, this.#fall(this.#at), ended]);
  }

  #fall({ x, y, z }: Position): Buffer {
    const { protocol } = this.#options;
    const wasOnGround = this.#isOnGround;
    const below = y - this.#speed;
    const isLanding = this.#options.collides && y >= platformHeight && below <= platformHeight;
    this.#at = { x, y: isLanding ? platformHeight : below, z };
    this.#isOnGround = isLanding && this.#speed > 0;
    const hasMoved = y - this.#at.y > 0.03;
    this.#speed = ((isLanding ? 0 : this.#speed) + 0.08) * drag;
    this.#ticksUntold++;
    if (hasMoved || this.#ticksUntold >= reminderTicks) {
      this.#ticksUntold = 0;
      return this.#moved("position");
    }
    const tells = this.#isOnGround !== wasOnGround || !atLeast(protocol, "1.9");
    return tells ? this.#stood() : nothing;
  }

  #stood(): Buffer {
    const id = play.toServer.standing(this.#options.protocol) ?? -1;
    return encodeFrame(id, Buffer.of(this.#isOnGround ? 1 : 0));
  }

  #answer(id: number, fields: Buffer): Buffer {
    if (this.#state === "login") return id === loginSuccessId ? this.#logIn() : nothing;
    return this.#state === "configuration" ? this.#configure(id, fields) : this.#play(id, fields);
  }

  #logIn(): Buffer {
    const { protocol } = this.#options;
    const isConfigured = acknowledgesLogin(protocol);
    this.#state = isConfigured ? "configuration" : "play";
    return isConfigured ? Buffer.concat([loginAcknowledged, this.#settings()]) : nothing;
  }

  #configure(id: number, fields: Buffer): Buffer {
    const { protocol } = this.#options;
    if (id === configuration.toClient.keepAlive(protocol)) {
      return encodeFrame(configuration.toServer.keepAlive(protocol) ?? -1, fields);
    }
    if (id !== configuration.toClient.finishConfiguration(protocol)) return nothing;
    this.#state = "play";
    return encodeFrame(configuration.toServer.finishConfiguration(protocol) ?? -1);
  }

  #play(id: number, fields: Buffer): Buffer {
    const { protocol } = this.#options;
    const ids = play.toClient;
    if (id === ids.keepAlive(protocol)) {
      return encodeFrame(play.toServer.keepAlive(protocol) ?? -1, fields);
    }
    if (id === ids.title(protocol) || id === ids.subtitle(protocol)) this.titles.push(fields);
    if (id === ids.joinGame(protocol) && !acknowledgesLogin(protocol)) return this.#settings();
    if (id === ids.playerPosition(protocol)) return this.#teleport(fields);
    return this.#reflexes.hear(id, fields);
  }

  #teleport(bytes: Buffer): Buffer {
    const { protocol } = this.#options;
    const fields = new FieldReader(bytes, 0, bytes.length);
    const isIdFirst = atLeast(protocol, "1.21.2");
    let teleportId = isIdFirst ? fields.varInt() : 0;
    const [x, y, z] = [fields.double(), fields.double(), fields.double()];
    if (!isIdFirst && atLeast(protocol, "1.9")) {
      fields.skip(8 + 1);
      teleportId = fields.varInt();
    }
    this.#at = { x, y: atLeast(protocol, "1.8") ? y : y - eyeHeight, z };
    this.#speed = 0;
    this.#isOnGround = false;
    const confirm = play.toServer.teleportConfirm(protocol);
    const confirmed =
      confirm === undefined ? nothing : encodeFrame(confirm, encodeVarInt(teleportId));
    return Buffer.concat([confirmed, this.#moved("positionAndLook")]);
  }

  #moved(packet: "position" | "positionAndLook"): Buffer {
    const { protocol } = this.#options;
    const { x, y, z } = this.#at ?? { x: 0, y: 0, z: 0 };
    const heights = atLeast(protocol, "1.8")
      ? [encodeDouble(y)]
      : [encodeDouble(y), encodeDouble(y + eyeHeight)];
    return encodeFrame(
      play.toServer[packet](protocol) ?? -1,
      encodeDouble(x),
      ...heights,
      encodeDouble(z),
      packet === "position" ? nothing : facing,
      Buffer.of(this.#isOnGround ? 1 : 0),
    );
  }

  #settings(): Buffer {
    const { protocol, locale, tells } = this.#options;
    if (!tells) return nothing;
    const information = {
      locale,
      viewDistance: 10,
      chatMode: 0,
      chatColours: true,
      skinParts: 127,
      mainHand: 1,
    };
    const isConfigured = acknowledgesLogin(protocol);
    const brand = isConfigured ? encodeConfigurationBrand : encodePlayBrand;
    const told = isConfigured ? encodeConfigurationInformation : encodePlayInformation;
    return Buffer.concat([
      present(brand(protocol, "vanilla")),
      present(told(protocol, information)),
    ]);
  }
}

function present(bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) throw new Error("the version has no such packet");
  return bytes;
}
