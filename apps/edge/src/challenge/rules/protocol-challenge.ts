import type { ClientPacket } from "@palisade/minecraft-protocol/java/client-packet";
import { FallCheck } from "@palisade/minecraft-protocol/java/gravity/fall-check";
import type { Movement } from "@palisade/minecraft-protocol/java/gravity/movement";
import type { Challenge } from "#src/rules/shared/verified-players.ts";
import { isSaneBrand, isSaneInformation } from "./client-sanity.ts";
import { clientPacketOf, keepAliveOf, type Packet, type ClientState } from "./client-state.ts";
import type { VerificationFailure } from "./verification-failure.ts";
import { arrivalOf, movementOf } from "./gravity.ts";

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
