import { acknowledgesLogin } from "@palisade/minecraft-protocol/java/login-success";
import { clientPacketOf, keepAliveOf, type Packet } from "./client-packets.ts";
import type { ClientSettings } from "./client-settings.ts";
import type { StepOutcome } from "./step-outcome.ts";

/**
 * A client that has just logged in must answer a keep-alive, whose id no recorded answer has. From
 * 1.20.2 on it must have told its settings before. This comes first in every grade, because it is
 * small: what a client cannot answer costs the edge nothing.
 */
export class ProtocolChallenge {
  readonly #protocol: number;
  readonly #settings: ClientSettings;
  readonly #keepAliveId: number;

  /** @param keepAliveId 1 to 2^31 - 1 */
  constructor(protocol: number, settings: ClientSettings, keepAliveId: number) {
    this.#protocol = protocol;
    this.#settings = settings;
    this.#keepAliveId = keepAliveId;
  }

  /** The client is in it when the challenge begins. */
  get state(): "configuration" | "play" {
    return acknowledgesLogin(this.#protocol) ? "configuration" : "play";
  }

  /** Undefined if the version has no keep-alive. */
  begin(): Buffer | undefined {
    return keepAliveOf(this.state, this.#protocol, BigInt(this.#keepAliveId));
  }

  take(bytes: Buffer, frame: Packet): StepOutcome {
    const settings = this.#settings;
    const packet = clientPacketOf(this.state, this.#protocol, bytes, frame);
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
    if (id !== BigInt(this.#keepAliveId)) return "wrong-echo";
    // A client tells them as it enters the configuration state, before this answer; earlier
    // versions as they enter a world.
    if (this.state === "play") return "passed";
    const settings = this.#settings;
    settings.answered();
    return settings.areMissing ? "no-settings" : "passed";
  }
}
