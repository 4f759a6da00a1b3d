import { playerAddress, playerIp } from "#src/admission/peer.ts";
import type { Connection, ConnectionListener } from "@palisade/sockets/tcp-connection";
import type { Dialled, DialRefusal } from "#src/dialling/player-dial.ts";
import { connectionRefusal } from "./connection-refusal.ts";
import { attackOn } from "./login.ts";
import type { RunningRelay } from "#src/relay/relay-host.ts";
import { PlayerHandover } from "./player-handover.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import type { Expiring } from "@palisade/sockets/timer-wheel";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { Outcome, ShedReason } from "#src/telemetry/outcomes.ts";
import type { Sheddable } from "#src/admission/admission.ts";
import { noSeat } from "#src/admission/seats.ts";

const nothing = Buffer.alloc(0);

/**
 * One connection of a game that is not parsed, from its admission until it is a player's. No byte
 * is read before a backend has accepted it: the player's bytes, and their end, wait in the kernel
 * and go to the backend unchanged. The first byte makes it a player; until then it makes room for
 * others, because staying silent costs an attacker nothing.
 */
export class RawConnection implements ConnectionListener, Sheddable, Expiring {
  readonly #socket: Connection;
  readonly #shield: CompiledShield;
  readonly #deps: ConnectionDeps;
  readonly #connection: number;
  readonly #handover: PlayerHandover;
  place: Expiring["place"] = undefined;
  seat = noSeat;
  source: Sheddable["source"] = undefined;
  #state: "dialling" | "silent" | "playing" | "gone" = "dialling";
  #relay: RunningRelay | undefined;
  /** Among those of its shield. */
  #isCounted = false;

  constructor(
    socket: Connection,
    sourceKey: string,
    connection: number,
    shield: CompiledShield,
    deps: ConnectionDeps,
  ) {
    this.#socket = socket;
    this.#shield = shield;
    this.#deps = deps;
    this.#connection = connection;
    this.#handover = new PlayerHandover(socket, sourceKey, shield, deps);
    deps.admission.enter(this, sourceKey);
    socket.listen(this);
    this.#begin();
  }

  received(): void {
    // It is not read here.
  }

  ended(): void {
    // As above.
  }

  closed(): void {
    if (this.#state === "dialling") this.#end("left");
  }

  /** No backend accepted it in time, or neither side has sent anything since. */
  expire(): void {
    if (this.#state === "silent") this.#end("deadline");
    else this.#refuseOffline("offline");
  }

  shed(reason: ShedReason): void {
    this.#end(reason);
  }

  /**
   * A connection that a backend has accepted belongs to a relay, which may outlive this process.
   */
  stop(): void {
    if (this.#state === "dialling") this.#end("stopped");
  }

  #begin(): void {
    const { counters, id, shares } = this.#shield;
    const { admission } = this.#deps;
    const { load } = counters;
    const { reason } = connectionRefusal(
      this.#shield,
      playerIp(this.#socket),
      this.#deps.mitigation,
    );
    if (reason !== undefined) {
      this.#sample(false);
      this.#log(reason);
      this.#end(reason);
      return;
    }
    if (!load.tryEnter(this.#deps.limits.unparsedPerShieldMax)) {
      this.#end("shed_shield");
      return;
    }
    this.#isCounted = true;
    if (!this.#handover.takePlace()) {
      counters.refuse("full");
      this.#log("full");
      this.#end("full");
      return;
    }
    if (!admission.named(this, id, shares.halfOpen)) {
      this.#end("shed_shield");
      return;
    }
    admission.passed(this);
    this.#deps.wheel.schedule(this, this.#deps.limits.dialMs);
    this.#handover.dial((outcome) => {
      if (typeof outcome === "string") this.#refuseOffline(outcome);
      else this.#start(outcome);
    });
  }

  #start(dialled: Dialled): void {
    const { wheel, limits } = this.#deps;
    this.#state = "silent";
    this.#deps.admission.waits(this);
    this.#log("forwarded");
    this.#sample(true);
    wheel.schedule(this, limits.silenceMs);
    this.#relay = this.#handover.start(dialled, nothing, {
      onAnswered: () => this.#becomePlayer(),
      onSpoke: () => this.#becomePlayer(),
      onClosed: () => this.#hasLeft(),
    });
  }

  #becomePlayer(): void {
    if (this.#state !== "silent") return;
    this.#state = "playing";
    this.#deps.outcomes.count("forwarded", this.source?.key);
    this.#deps.wheel.cancel(this);
    this.#deps.admission.settle(this);
  }

  #hasLeft(): void {
    // The client only waited and has sent nothing.
    this.#becomePlayer();
    this.#leave();
  }

  #leave(): void {
    if (this.#isCounted) this.#shield.counters.load.left();
    this.#isCounted = false;
    this.#deps.admission.leave(this);
  }

  #refuseOffline(why: DialRefusal): void {
    if (this.#state !== "dialling") return;
    this.#shield.counters.refuse("offline");
    this.#log(why);
    this.#end(why);
  }

  #end(outcome: Outcome): void {
    const { admission, outcomes, wheel } = this.#deps;
    if (this.#state !== "dialling" && this.#state !== "silent") return;
    this.#state = "gone";
    outcomes.count(outcome, this.source?.key);
    wheel.cancel(this);
    if (this.#relay !== undefined) {
      // The rest follows once both sockets are closed.
      admission.settle(this);
      this.#log(outcome);
      this.#relay.destroy();
      return;
    }
    this.#leave();
    this.#handover.abort();
    this.#socket.destroy();
  }

  #sample(isAdmitted: boolean): void {
    if (!attackOn(this.#shield, this.#deps.mitigation).isUnderAttack) return;
    this.#deps.attackSamples.note(this.#shield.id, playerIp(this.#socket), "", isAdmitted);
  }

  #log(verdict: Outcome): void {
    this.#deps.log.info(
      () => ({
        connection: this.#connection,
        ip: playerAddress(this.#socket),
        shield: this.#shield.id,
        group: this.#shield.group.id,
        verdict,
      }),
      "connection",
    );
  }
}
