import type { ClientPacket } from "@palisade/minecraft-protocol/java/client-packet";
import { FallCheck } from "@palisade/minecraft-protocol/java/limbo/fall-check";
import { type Movement, decodeMovement } from "@palisade/minecraft-protocol/java/limbo/movement";
import type { Challenge } from "@palisade/login-rules/shared/verified-players";
import type { VerificationFailure } from "./verification-failure.ts";
import { componentFromText } from "@palisade/minecraft-protocol/java/chat";
import {
  decodeConfigurationPacket,
  encodeConfigurationDisconnect,
  encodeConfigurationKeepAlive,
} from "@palisade/minecraft-protocol/java/configuration";
import type { FrameResult } from "@palisade/minecraft-protocol/java/frame";
import { encodeLoginDisconnect } from "@palisade/minecraft-protocol/java/login";
import {
  decodePlayPacket,
  encodePlayDisconnect,
  encodePlayKeepAlive,
} from "@palisade/minecraft-protocol/java/play";
import type { ClientInformation } from "@palisade/minecraft-protocol/java/client-information";
import { encodeLimboArrival } from "@palisade/minecraft-protocol/java/limbo/arrival";

interface Game {
  readonly protocol: number;
  readonly challenge: Challenge;
  /** Client information and brand must come, where the game sends them by itself, and make sense. */
  readonly isStrict: boolean;
}

/** Random numbers that the client has to send back, so that a recorded answer is worth nothing. */
interface ExpectedEchoes {
  readonly keepAliveId: bigint;
  readonly teleportId: number;
}

/** `answered`: one answer has come, and more are expected. */
export type ChallengeStep = "on" | "answered" | "passed" | VerificationFailure;

/** A logged-in client must answer a keep-alive, send its settings and, if asked to, fall. */
export class ProtocolChallenge {
  readonly #game: Game;
  readonly #state: ClientState;
  readonly #echoes: ExpectedEchoes;
  /** Undefined if the player need not fall, or has fallen. */
  #fall: FallCheck | undefined;
  #hasEchoed = false;
  #hasInformation = false;
  #hasBrand = false;

  constructor(game: Game, state: "configuration" | "play", echoes: ExpectedEchoes) {
    this.#game = game;
    this.#echoes = echoes;
    this.#state = state;
  }

  /**
   * Puts the player into an empty world if they are to fall, and sends a keep-alive. Undefined if
   * the version has no such packet.
   */
  begin(): Buffer | undefined {
    const { protocol, challenge } = this.#game;
    const question = keepAliveOf(this.#state, protocol, this.#echoes.keepAliveId);
    const falls = challenge === "gravity" && this.#state === "play";
    const world = falls ? arrivalOf(protocol, this.#echoes.teleportId) : undefined;
    if (world === undefined || question === undefined) return question;
    this.#fall = new FallCheck();
    return Buffer.concat([world, question]);
  }

  take(bytes: Buffer, frame: Packet): ChallengeStep {
    const { protocol } = this.#game;
    const movement = this.#fall && movementOf(protocol, bytes, frame);
    if (movement !== undefined) return this.#tookMovement(movement);
    const packet = clientPacketOf(this.#state, protocol, bytes, frame);
    switch (packet.kind) {
      case "keep-alive":
        return this.#tookEcho(packet.id);
      case "client-information":
      case "brand":
        return this.#tookSettings(packet);
      // Mods announce their channels, and versions differ in what they say by themselves.
      case "plugin-message":
      case "other":
        return "on";
      case "malformed":
        return "malformed";
      case "unknown":
      case "configuration-finished":
        return "unexpected";
    }
  }

  #tookSettings(
    packet: Extract<ClientPacket, { kind: "client-information" | "brand" }>,
  ): ChallengeStep {
    const isBrand = packet.kind === "brand";
    const isSane = isBrand ? isSaneBrand(packet.brand) : isSaneInformation(packet.information);
    if (this.#game.isStrict && !isSane) return "odd-settings";
    if (isBrand) this.#hasBrand = true;
    else this.#hasInformation = true;
    return "on";
  }

  #tookMovement(movement: Movement): ChallengeStep {
    if (movement.kind === "teleport-confirmed" && movement.teleportId !== this.#echoes.teleportId) {
      return "wrong-echo";
    }
    const verdict = this.#fall?.accept(movement);
    if (verdict === "wrong") return "no-fall";
    if (verdict !== "fell") return "on";
    this.#fall = undefined;
    return this.#hasEchoed ? this.#settled(true) : "on";
  }

  #tookEcho(id: bigint): ChallengeStep {
    if (id !== this.#echoes.keepAliveId || this.#hasEchoed) return "wrong-echo";
    this.#hasEchoed = true;
    // The player is still falling.
    if (this.#fall !== undefined) return "answered";
    // Both come as the configuration state or a world is entered, before this answer.
    return this.#settled(this.#game.challenge === "gravity" || this.#state === "configuration");
  }

  /** @param tells a game that has come this far has told its settings and brand before */
  #settled(tells: boolean): ChallengeStep {
    const hasTold = this.#hasBrand && this.#hasInformation;
    return this.#game.isStrict && tells && !hasTold ? "no-settings" : "passed";
  }
}

export type Packet = Extract<FrameResult, { kind: "packet" }>;

/**
 * States of a verified client, by the names of the protocol. They decide how packets are read and
 * written; a state that a version does not have gives undefined.
 */
export type ClientState = "login" | "configuration" | "play";

export function disconnectOf(
  state: ClientState,
  protocol: number,
  text: string,
): Buffer | undefined {
  const reason = componentFromText(text);
  if (state === "login") return encodeLoginDisconnect(JSON.stringify(reason));
  return state === "play"
    ? encodePlayDisconnect(protocol, reason)
    : encodeConfigurationDisconnect(protocol, reason);
}

export function keepAliveOf(state: ClientState, protocol: number, id: bigint): Buffer | undefined {
  return state === "play"
    ? encodePlayKeepAlive(protocol, id)
    : encodeConfigurationKeepAlive(protocol, id);
}

export function clientPacketOf(
  state: ClientState,
  protocol: number,
  bytes: Buffer,
  { id, bodyStart, bodyEnd }: Packet,
): ClientPacket {
  return state === "play"
    ? decodePlayPacket(protocol, id, bytes, bodyStart, bodyEnd)
    : decodeConfigurationPacket(protocol, id, bytes, bodyStart, bodyEnd);
}

/**
 * Values that real games send right after the login, as far as all versions and mods agree about
 * them. Their order is not checked: mods add packets of their own.
 */

/** `en_us`, `lol_us`, `zlm_arab`; packs of one's own have others of this form. */
const locale = /^[A-Za-z0-9_-]{2,16}$/;
const brand = /^[\x20-\x7e]{1,128}$/;
const viewDistanceMin = 2;
const chatModeMax = 2;
const mainHandMax = 1;

export function isSaneInformation(information: ClientInformation): boolean {
  const { viewDistance, chatMode, mainHand = 0 } = information;
  return (
    locale.test(information.locale) &&
    viewDistance >= viewDistanceMin &&
    chatMode >= 0 &&
    chatMode <= chatModeMax &&
    mainHand >= 0 &&
    mainHand <= mainHandMax
  );
}

export function isSaneBrand(name: string): boolean {
  return brand.test(name);
}

/** Encoded worlds by protocol: at most as many as there are versions that can fall. */
const arrivals = new Map<number, { readonly teleportId: number; readonly bytes: Buffer }>();

/**
 * The packets that put a player into an empty world.
 *
 * @param teleportId the client confirms its position with it
 * @returns undefined if a player of this version cannot be made to fall
 */
export function arrivalOf(protocol: number, teleportId: number): Buffer | undefined {
  const known = arrivals.get(protocol);
  if (known?.teleportId === teleportId) return known.bytes;
  const bytes = encodeLimboArrival(protocol, teleportId);
  if (bytes !== undefined) arrivals.set(protocol, { teleportId, bytes });
  return bytes;
}

export function movementOf(
  protocol: number,
  bytes: Buffer,
  { id, bodyStart, bodyEnd }: Packet,
): Movement | undefined {
  return decodeMovement(protocol, id, bytes, bodyStart, bodyEnd);
}
