import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import type { FdBudget } from "@palisade/shared-tables/shared-counters";
import type { Dialled, DialOutcome } from "#src/dialling/player-dial.ts";
import type { RelayHost, RelayOrder, RunningRelay } from "#src/relay/relay-host.ts";
import type { ConnectionDeps } from "#src/connection/connection-deps.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { FakeConnection } from "./fake-connection.ts";
import { Random } from "./random.ts";

/** Backends, relay and statuses that answer at once, later, or never, as chance has it. */
export class FakeBackends implements RelayHost {
  readonly #fds: FdBudget;
  #random = new Random(0);
  #statuses: (() => void)[] = [];
  readonly #players = new Set<() => void>();
  /** Players who were given to the relay. */
  joined = 0;

  constructor(fds: FdBudget) {
    this.#fds = fds;
  }

  reseed(random: Random): void {
    this.#random = random;
  }

  readonly silentLog = { info: () => undefined } as unknown as ConnectionDeps["log"];

  /** The part of a dialler that connections use. */
  get asDialler(): ConnectionDeps["dialler"] {
    return { dial: ({ chain }, _ip, onOutcome) => this.#dial(chain, onOutcome) };
  }

  answer(shield: CompiledShield): Buffer | Promise<Buffer> {
    const { frame } = shield.motd;
    if (this.#random.once(2)) return frame;
    if (this.#random.once(2)) return Promise.resolve(frame);
    return new Promise((resolve) => this.#statuses.push(() => resolve(frame)));
  }

  take(order: RelayOrder): RunningRelay {
    this.joined++;
    const { events } = order;
    if (this.#random.once(2)) events.onSpoke();
    if (this.#random.once(2)) events.onAnswered();
    const close = (): void => {
      if (!this.#players.delete(close)) return;
      if (this.#random.once(3)) events.onHungUp();
      order.player.destroy();
      order.backend.destroy();
      events.onClosed();
    };
    this.#players.add(close);
    order.player.listen({ received: () => undefined, ended: () => undefined, closed: close });
    return { destroy: close };
  }

  stop(): void {
    for (const close of this.#players) close();
  }

  /** Answers all waiting status requests. */
  answerAll(): void {
    const waiting = this.#statuses;
    this.#statuses = [];
    for (const answer of waiting) answer();
  }

  /** Answers now, later or never. */
  #dial(
    chain: CompiledShield["chain"],
    onOutcome: (outcome: DialOutcome) => void,
  ): { abort(): void } {
    let isAborted = false;
    const answer = (): void => {
      if (!isAborted) onOutcome(this.#dialled(chain) ?? "offline");
    };
    if (this.#random.once(3)) answer();
    else if (!this.#random.once(4)) queueMicrotask(answer);
    return { abort: () => void (isAborted = true) };
  }

  #dialled(chain: CompiledShield["chain"]): Dialled | undefined {
    const group = chain[0];
    const backend = group?.backends[0];
    if (group === undefined || backend === undefined || this.#random.once(4)) return undefined;
    if (!this.#fds.tryTake()) return undefined;
    const socket = new FakeConnection({
      remoteAddress: "127.0.0.1",
      isSlow: false,
      fault: () => undefined,
      heard: () => undefined,
      onDestroyed: () => this.#fds.release(),
    });
    this.#speak(socket);
    return { group, backend, socket };
  }

  /** Says a few things of the login state at once, whole or not, or nothing. */
  #speak(socket: FakeConnection): void {
    const said: Buffer[] = [];
    while (this.#random.once(2)) {
      said.push(encodeFrame(this.#random.below(6), this.#random.bytes(this.#random.below(40))));
    }
    const bytes = Buffer.concat(said);
    if (bytes.length > 0) socket.deliver(bytes.subarray(0, 1 + this.#random.below(bytes.length)));
  }
}
