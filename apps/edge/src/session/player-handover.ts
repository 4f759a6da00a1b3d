import type { Socket } from "node:net";
import type { Dialled } from "#src/forwarding/dialler.ts";
import { playerIp } from "#src/forwarding/peer.ts";
import { playerHeader } from "#src/forwarding/proxy-header.ts";
import { Relay } from "#src/forwarding/relay.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { SessionDeps } from "./session-deps.ts";

/** From an admitted login to the relay. */
export class PlayerHandover {
  readonly #player: Socket;
  readonly #shield: CompiledShield;
  readonly #deps: SessionDeps;
  readonly #abort = new AbortController();

  constructor(player: Socket, shield: CompiledShield, deps: SessionDeps) {
    this.#player = player;
    this.#shield = shield;
    this.#deps = deps;
  }

  /** Never rejects; undefined where no backend answers, or after `abort`. */
  async dial(): Promise<Dialled | undefined> {
    const { chain, tally } = this.#shield;
    const { dialler, limits } = this.#deps;
    // One shield's servers that answer nothing must not take the descriptors of all.
    if (tally.dialling >= limits.dialsPerShieldMax) return undefined;
    tally.dialling++;
    try {
      return await dialler.dialChain(chain, playerIp(this.#player), this.#abort.signal);
    } finally {
      tally.dialling--;
    }
  }

  abort(): void {
    this.#abort.abort();
  }

  /**
   * @param head every byte the player has sent
   * @param onClosed once both sockets are gone
   * @param onFirstAnswer with the first bytes of the backend
   */
  start(
    { group, backend, socket, reader }: Dialled,
    head: Buffer,
    onClosed: () => void,
    onFirstAnswer?: () => void,
  ): Relay {
    const { tally } = this.#shield;
    const { health, relays } = this.#deps;
    // One segment for header and head.
    socket.cork();
    if (group.proxyProtocol) socket.write(playerHeader(this.#player));
    const player = this.#player;
    let isAnswered = false;
    const onAnswered = (): void => {
      isAnswered = true;
      onFirstAnswer?.();
      health.succeeded(backend);
    };
    const onEnd = (): void => {
      const isPlayersDoing = player.readableEnded || player.destroyed;
      if (!isAnswered && !isPlayersDoing) health.hungUp(backend);
    };
    socket.once("end", onEnd).once("close", onEnd);
    const ends = { player, backend: socket, reader, head, meter: tally, onAnswered };
    const relay = new Relay(ends, this.#deps.wheel, () => {
      backend.load.players--;
      tally.players--;
      health.playersChanged(backend);
      relays.delete(relay);
      onClosed();
    });
    backend.load.players++;
    tally.players++;
    tally.joins++;
    health.playersChanged(backend);
    relays.add(relay);
    relay.start();
    socket.uncork();
    return relay;
  }
}
