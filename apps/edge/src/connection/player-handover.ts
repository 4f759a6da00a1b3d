import { playerIp } from "#src/admission/peer.ts";
import type { Connection } from "@palisade/sockets/tcp-connection";
import type { Dialled, DialOutcome } from "#src/dialling/player-dial.ts";
import { playerHeader } from "#src/dialling/dialler.ts";
import type { RelayEvents, RunningRelay } from "#src/relay/relay-host.ts";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { ConnectionDeps } from "./connection-deps.ts";

const nothing = Buffer.alloc(0);

/** Reports to the connection about its player. */
export interface HandoverEvents {
  /** Both sockets are gone. */
  onClosed(): void;
  readonly onAnswered?: () => void;
  /** Called with the player's first byte after the head. */
  readonly onSpoke?: () => void;
}

/** Takes an admitted login to the relay. */
export class PlayerHandover {
  readonly #player: Connection;
  readonly #sourceKey: string;
  readonly #shield: CompiledShield;
  readonly #deps: ConnectionDeps;
  #dial: { abort(): void } | undefined;
  /** Among the players of the shield. */
  #hasPlace = false;
  /** Among the connections of the shield that are on their way to a backend. */
  #isOnItsWay = false;

  constructor(player: Connection, sourceKey: string, shield: CompiledShield, deps: ConnectionDeps) {
    this.#player = player;
    this.#sourceKey = sourceKey;
    this.#shield = shield;
    this.#deps = deps;
  }

  /** Makes the connection one of the shield's players. False if the shield has no room for more. */
  takePlace(): boolean {
    const { shares, counters } = this.#shield;
    const { limits, playersPerShieldRoom } = this.#deps;
    const max = Math.min(shares.players ?? limits.playersPerShieldMax, playersPerShieldRoom);
    this.#hasPlace = counters.load.tryTakePlace(max);
    return this.#hasPlace;
  }

  /**
   * @param onOutcome called once, perhaps before this returns; not after `abort`
   */
  dial(onOutcome: (outcome: DialOutcome) => void): void {
    // Silent servers of one shield must not take the descriptors of all.
    if (!this.#shield.counters.load.trySetOut(this.#dialsMax)) {
      onOutcome("offline");
      return;
    }
    this.#isOnItsWay = true;
    const { dialler } = this.#deps;
    this.#dial = dialler.dial(this.#shield, playerIp(this.#player), onOutcome);
  }

  /** The connection does not become a player's. */
  abort(): void {
    if (this.#isOnItsWay) this.#dial?.abort();
    this.#arrived();
    if (this.#hasPlace) this.#shield.counters.load.leavePlace();
    this.#hasPlace = false;
  }

  /** A part of the half-open connections, so that unknown players have room beside them. */
  get #dialsMax(): number {
    const { limits, admission } = this.#deps;
    const halfOpen = admission.halfOpenMaxOf(this.#shield.shares.halfOpen);
    return Math.min(limits.dialsPerShieldMax, Math.max(1, Math.floor(halfOpen / 2)));
  }

  #arrived(): void {
    if (!this.#isOnItsWay) return;
    this.#isOnItsWay = false;
    this.#shield.counters.load.arrived();
  }

  /**
   * Sends the player's bytes to the backend itself, for a connection that passes on the following
   * packets.
   *
   * @param head every byte the player has sent
   */
  greet({ group, socket }: Dialled, head: Buffer): void {
    // One segment for both.
    const header = group.proxyProtocol ? playerHeader(this.#player) : nothing;
    socket.write(Buffer.concat([header, head]));
  }

  /** @param head every byte the player has sent; undefined if the backend has been told */
  start(
    { group, backend, socket }: Dialled,
    head: Buffer | undefined,
    events: HandoverEvents,
  ): RunningRelay {
    const player = this.#player;
    const isNew = head !== undefined;
    const { counters, id } = this.#shield;
    const { health, relays } = this.#deps;
    this.#arrived();
    this.#hasPlace = false;
    backend.load.joined();
    counters.load.countJoined(1);
    counters.players++;
    counters.joins++;
    health.playersChanged(backend);
    return relays.take({
      player,
      backend: socket,
      header: isNew && group.proxyProtocol ? playerHeader(player) : nothing,
      head: head ?? nothing,
      ids: {
        shield: id,
        backend: backend.id,
        source: this.#sourceKey,
        isUnparsed: group.game === "other",
      },
      meter: counters,
      events: new JoinedPlayer(backend, counters, health, events, isNew),
    });
  }
}

/** Counts a player of a backend, and tells its health. One object for as long as the player stays. */
class JoinedPlayer implements RelayEvents {
  readonly #backend: Backend;
  readonly #counters: CompiledShield["counters"];
  readonly #health: ConnectionDeps["health"];
  readonly #events: HandoverEvents;
  readonly #isNew: boolean;

  /** @param isNew whether no byte of the backend has been seen */
  constructor(
    backend: Backend,
    counters: CompiledShield["counters"],
    health: ConnectionDeps["health"],
    events: HandoverEvents,
    isNew: boolean,
  ) {
    this.#backend = backend;
    this.#counters = counters;
    this.#health = health;
    this.#events = events;
    this.#isNew = isNew;
  }

  onSpoke(): void {
    this.#events.onSpoke?.();
  }

  onAnswered(): void {
    this.#events.onAnswered?.();
    this.#health.succeeded(this.#backend);
  }

  /**
   * A backend that has got the login has mostly answered by now, and may end without a further packet.
   */
  onHungUp(): void {
    if (this.#isNew) this.#health.hungUp(this.#backend);
  }

  onClosed(): void {
    this.#backend.load.left();
    this.#counters.load.countJoined(-1);
    this.#counters.load.leavePlace();
    this.#counters.players--;
    this.#health.playersChanged(this.#backend);
    this.#events.onClosed();
  }
}
