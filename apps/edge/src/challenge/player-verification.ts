import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Challenge, VerifiedPlayers } from "#src/rules/shared/verified-players.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type VerificationFailure, kickReasonOf } from "./rules/verification-failure.ts";
import type { VerificationSlot } from "./rules/verification-slots.ts";
import { Verification, type VerificationDeps, type VerificationListener } from "./verification.ts";

/** A login that must pass a challenge before it sees a backend. */
export interface ChallengedLogin {
  readonly shield: CompiledShield;
  readonly protocol: number;
  readonly name: string;
  readonly ip: IpBytes;
  /** As the handshake names them. */
  readonly host: string;
  readonly port: number;
  readonly challenge: Challenge;
  readonly trace: string;
}

/** The connection of a player who is verified. */
export interface ChallengedConnection {
  send(bytes: Buffer): void;
  /** The player goes on answering, and is now the last to make room. */
  answered(): void;
  /** @param transfers the client closes the connection itself once it has read it */
  verified(last: Buffer | undefined, transfers: boolean): void;
  unverified(fault: VerificationFailure, last: Buffer | undefined): void;
}

export interface PlayerVerificationDeps extends VerificationDeps {
  readonly verified: Pick<VerifiedPlayers, "add">;
  /** No clock that can be set. */
  readonly monotonicMs: () => number;
}

/**
 * One player's verification with everything around it: slot, counters, and the record that the
 * player is verified.
 */
export class PlayerVerification implements VerificationListener {
  readonly #login: ChallengedLogin;
  readonly #deps: PlayerVerificationDeps;
  readonly #connection: ChallengedConnection;
  readonly #machine: Verification;
  #seat: VerificationSlot | undefined;

  constructor(
    login: ChallengedLogin,
    deps: PlayerVerificationDeps,
    connection: ChallengedConnection,
  ) {
    this.#login = login;
    this.#deps = deps;
    this.#connection = connection;
    const { shield, name, trace } = login;
    const values = { player: name, trace };
    const { kicks, verification, rules } = shield;
    this.#machine = new Verification(
      {
        ...login,
        isStrict: rules.mitigation.advanced_antibot,
        cookieKey: verification.cookieKey,
        text: (about) => {
          const isPassed = about === "rejoin";
          const kick = isPassed
            ? verification.rejoin
            : kicks[kickReasonOf(about, rules.mitigation)];
          return kick.text(values);
        },
      },
      deps,
      this,
    );
  }

  start(seat: VerificationSlot): void {
    this.#seat = seat;
    this.#login.shield.counters.challenged++;
    this.#machine.start();
  }

  received(chunk: Buffer): void {
    this.#machine.received(chunk);
  }

  /** The deadline has passed. */
  expire(): void {
    this.#machine.expire();
  }

  makeRoom(): void {
    this.#machine.makeRoom();
  }

  /** The connection is gone. */
  abort(): void {
    this.#machine.abort();
    this.#seat?.leave();
  }

  send(bytes: Buffer): void {
    this.#connection.send(bytes);
  }

  answered(isOurTurn: boolean): void {
    if (isOurTurn) this.#seat?.working();
    else this.#seat?.asked(this.#deps.monotonicMs());
    this.#connection.answered();
  }

  passed(last: Buffer | undefined, transfers: boolean): void {
    const { shield, name, ip, challenge } = this.#login;
    this.#seat?.leave();
    this.#deps.verified.add(name, ip, challenge, this.#deps.nowMs());
    shield.counters.verified++;
    this.#connection.verified(last, transfers);
  }

  failed(fault: VerificationFailure, last: Buffer | undefined): void {
    this.#seat?.leave();
    this.#connection.unverified(fault, last);
  }
}
