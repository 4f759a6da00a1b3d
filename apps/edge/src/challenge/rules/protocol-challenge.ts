import { clientPacketOf, keepAliveOf, type Packet } from "./client-packets.ts";
import type { ClientSettings } from "./client-settings.ts";
import type { StepOutcome } from "./step-outcome.ts";

interface Game {
  readonly protocol: number;
  /** The client is in it when the challenge begins. */
  readonly state: "configuration" | "play";
  readonly settings: ClientSettings;
}

/**
 * A client that has just logged in must answer a keep-alive, whose id no recorded answer has. From
 * 1.20.2 on it must have told its settings before. This comes first in every grade, because it is
 * small: what a client cannot answer costs the edge nothing.
 */
export class ProtocolChallenge {
  readonly #game: Game;
  readonly #keepAliveId: bigint;

  constructor(game: Game, keepAliveId: bigint) {
    this.#game = game;
    this.#keepAliveId = keepAliveId;
  }

  get state(): "configuration" | "play" {
    return this.#game.state;
  }

  /** Undefined if the version has no keep-alive. */
  begin(): Buffer | undefined {
    const { protocol, state } = this.#game;
    return keepAliveOf(state, protocol, this.#keepAliveId);
  }

  take(bytes: Buffer, frame: Packet): StepOutcome {
    const { protocol, state, settings } = this.#game;
    const packet = clientPacketOf(state, protocol, bytes, frame);
    switch (packet.kind) {
      case "keep-alive":
        return this.#tookEcho(packet.id);
      case "client-information":
      case "brand":
        return settings.take(packet) ? "on" : "odd-settings";
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

  #tookEcho(id: bigint): StepOutcome {
    if (id !== this.#keepAliveId) return "wrong-echo";
    // A client tells them as it enters the configuration state, before this answer; earlier
    // versions as they enter a world.
    const { state, settings } = this.#game;
    if (state === "play") return "passed";
    settings.answered();
    return settings.areMissing ? "no-settings" : "passed";
  }
}
