import type { Socket } from "node:net";
import type { Dialled } from "#src/forwarding/dialler.ts";
import { ipOfSocketAddress, playerHeader } from "#src/forwarding/proxy-header.ts";
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
  dial(): Promise<Dialled | undefined> {
    const ip = ipOfSocketAddress(this.#player.remoteAddress);
    return this.#deps.dialler.dialGroup(this.#shield.group, ip, this.#abort.signal);
  }

  abort(): void {
    this.#abort.abort();
  }

  /**
   * @param head every byte the player has sent
   * @param onClosed once both sockets are gone
   */
  start({ backend, socket, reader }: Dialled, head: Buffer, onClosed: () => void): void {
    const { tally, group } = this.#shield;
    // One segment for header and head.
    socket.cork();
    if (group.proxyProtocol) socket.write(playerHeader(this.#player));
    const ends = { player: this.#player, backend: socket, reader, head, meter: tally };
    const relay = new Relay(ends, this.#deps.wheel, () => {
      backend.players--;
      tally.players--;
      this.#deps.relays.delete(relay);
      onClosed();
    });
    backend.players++;
    tally.players++;
    tally.joins++;
    this.#deps.relays.add(relay);
    relay.start();
    socket.uncork();
  }
}
