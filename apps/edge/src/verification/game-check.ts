import { randomInt } from "node:crypto";
import type { ClientPacket } from "@palisade/minecraft-protocol/java/client-packet";
import { FallCheck } from "@palisade/minecraft-protocol/java/gravity/fall-check";
import type { Movement } from "@palisade/minecraft-protocol/java/gravity/movement";
import type { Proof } from "#src/protection/shared/verified-players.ts";
import { isSaneBrand, isSaneInformation } from "./client-sanity.ts";
import { clientPacketOf, keepAliveOf, type Packet, type Stage } from "./client-stage.ts";
import type { VerificationFault } from "./fault-reason.ts";
import { arrivalOf, movementOf, teleportId } from "./gravity.ts";

interface Game {
  readonly protocol: number;
  readonly proof: Proof;
  /** Client information and brand must come, where the game sends them by itself, and make sense. */
  readonly isStrict: boolean;
}

/** `answered`: something that was asked; more of it is still to come. */
export type GameStep = "on" | "answered" | "passed" | VerificationFault;

/** A game that is logged in gives a keep-alive back, tells its settings and, where it is asked to, falls. */
export class GameCheck {
  readonly #game: Game;
  readonly #stage: Stage;
  readonly #keepAlive = BigInt(randomInt(1, 0x7fff_ffff));
  /** Undefined where he need not fall, or has fallen. */
  #fall: FallCheck | undefined;
  #hasEchoed = false;
  #hasInformation = false;
  #hasBrand = false;

  constructor(game: Game, stage: "configuration" | "play") {
    this.#game = game;
    this.#stage = stage;
  }

  /** Puts him into an empty world where he is to fall, and asks. Undefined where the version has no such packet. */
  begin(): Buffer | undefined {
    const { protocol, proof } = this.#game;
    const question = keepAliveOf(this.#stage, protocol, this.#keepAlive);
    const falls = proof === "gravity" && this.#stage === "play";
    const world = falls ? arrivalOf(protocol) : undefined;
    if (world === undefined || question === undefined) return question;
    this.#fall = new FallCheck();
    return Buffer.concat([world, question]);
  }

  take(bytes: Buffer, frame: Packet): GameStep {
    const { protocol } = this.#game;
    const movement = this.#fall && movementOf(protocol, bytes, frame);
    if (movement !== undefined) return this.#tookMovement(movement);
    const packet = clientPacketOf(this.#stage, protocol, bytes, frame);
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

  #tookSettings(packet: Extract<ClientPacket, { kind: "client-information" | "brand" }>): GameStep {
    const isBrand = packet.kind === "brand";
    const isSane = isBrand ? isSaneBrand(packet.brand) : isSaneInformation(packet.information);
    if (this.#game.isStrict && !isSane) return "odd-settings";
    if (isBrand) this.#hasBrand = true;
    else this.#hasInformation = true;
    return "on";
  }

  #tookMovement(movement: Movement): GameStep {
    if (movement.kind === "teleport-confirmed" && movement.teleportId !== teleportId) {
      return "wrong-echo";
    }
    const verdict = this.#fall?.accept(movement);
    if (verdict === "wrong") return "no-fall";
    if (verdict !== "fell") return "on";
    this.#fall = undefined;
    return this.#hasEchoed ? this.#settled(true) : "on";
  }

  #tookEcho(id: bigint): GameStep {
    if (id !== this.#keepAlive || this.#hasEchoed) return "wrong-echo";
    this.#hasEchoed = true;
    // He is on his way down.
    if (this.#fall !== undefined) return "answered";
    // Both come as the configuration state or a world is entered, before this answer.
    return this.#settled(this.#game.proof === "gravity" || this.#stage === "configuration");
  }

  /** @param tells a game that has come this far has told its settings and brand before */
  #settled(tells: boolean): GameStep {
    const hasTold = this.#hasBrand && this.#hasInformation;
    return this.#game.isStrict && tells && !hasTold ? "no-settings" : "passed";
  }
}
