import type { Connection } from "#src/reactor/tcp-connection.ts";
import type { Dialled, PlayerDial } from "#src/dialling/player-dial.ts";
import { playerIp } from "#src/reactor/peer.ts";
import { playerHeader } from "#src/dialling/proxy-header.ts";
import { sourceKeyOf } from "#src/admission/admission.ts";
import type { RunningRelay } from "#src/relay/relay-host.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { ConnectionDeps } from "./connection-deps.ts";

const nothing = Buffer.alloc(0);

/** Reports to the connection about its player. */
export interface HandoverEvents {
  /** Both sockets are gone. */
  readonly onClosed: () => void;
  readonly onAnswered?: () => void;
  /** Called with the player's first byte after the head. */
  readonly onSpoke?: () => void;
}

/** Takes an admitted login to the relay. */
export class PlayerHandover {
  readonly #player: Connection;
  readonly #shield: CompiledShield;
  readonly #deps: ConnectionDeps;
  #dial: Pick<PlayerDial, "abort"> | undefined;
  #isDialling = false;

  constructor(player: Connection, shield: CompiledShield, deps: ConnectionDeps) {
    this.#player = player;
    this.#shield = shield;
    this.#deps = deps;
  }

  /**
   * @param onDialled called once, perhaps before this returns, with undefined if no backend answers; not
   *   after `abort`
   */
  dial(onDialled: (dialled: Dialled | undefined) => void): void {
    const { chain, counters } = this.#shield;
    const { dialler, limits } = this.#deps;
    // Silent servers of one shield must not take the descriptors of all.
    if (!counters.load.trySetOut(limits.dialsPerShieldMax)) {
      onDialled(undefined);
      return;
    }
    this.#isDialling = true;
    this.#dial = dialler.dialChain(chain, playerIp(this.#player), (dialled) => {
      this.#arrived();
      onDialled(dialled);
    });
  }

  abort(): void {
    if (!this.#isDialling) return;
    this.#arrived();
    this.#dial?.abort();
  }

  #arrived(): void {
    this.#isDialling = false;
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
    { onClosed, onAnswered, onSpoke }: HandoverEvents,
  ): RunningRelay {
    const player = this.#player;
    const isNew = head !== undefined;
    const { counters, id } = this.#shield;
    const { health, relays } = this.#deps;
    backend.load.joined();
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
        source: sourceKeyOf(playerIp(player)),
        isUnparsed: group.game === "other",
      },
      meter: counters,
      events: {
        onSpoke: () => onSpoke?.(),
        onAnswered: () => {
          onAnswered?.();
          health.succeeded(backend);
        },
        // A backend that has got the login has mostly answered by now, and may end without a
        // further packet.
        onHungUp: () => isNew && health.hungUp(backend),
        onClosed: () => {
          backend.load.left();
          counters.players--;
          health.playersChanged(backend);
          onClosed();
        },
      },
    });
  }
}
