import { type ChildProcess, fork } from "node:child_process";
import { threadReactor } from "@palisade/sockets/reactor";
import type { FdBudget } from "@palisade/shared-tables/shared-counters";
import type { HandedPlayer, PlayerSender } from "./player-channel.ts";
import {
  headOf,
  PlayerTable,
  type RelayEvents,
  type RelayMeter,
  type RelayOrder,
  releaseBoth,
  type RunningRelay,
} from "./relay-host.ts";
import {
  addMoved,
  ControlClient,
  hungTicks,
  type PlayerEvents,
  type RelayMessage,
  relayProtocol,
} from "./control-channel.ts";
import { ProcessShares, type RateOf, type ShareRate } from "./bandwidth-share.ts";

const program = new URL("relay-main.ts", import.meta.url);

/**
 * A packet makes no object, so a relay process needs no large young generation: V8 would let it grow to
 * 48 MiB while players come, and keep it. V8's own threads only compile. If they swept the heap as well,
 * the process would look for their result again and again, and since it goes before all other threads
 * (`ProcessorTurns`), they would get no time for it on its core: it had the core for a second then.
 */
const nodeArgs = ["--max-semi-space-size=1", "--v8-pool-size=1", "--single-threaded-gc"];

export interface RelayProcessDeps {
  /** The channel to it, which it owns from now on. */
  readonly sender: PlayerSender;
  /** Folder in which relay processes listen for edges. */
  readonly folder: string;
  /** Descriptor of ours whose other end the supervisor holds; undefined if none does. */
  readonly lifeline: number | undefined;
  /** Players of one process: two descriptors each. */
  readonly playersMax: number;
  readonly fds: Pick<FdBudget, "take" | "release">;
  readonly meter: (shieldId: string) => RelayMeter;
  /** Bandwidth of shields. */
  readonly rateOf: RateOf;
  /** A player's connection could not be sent to it. */
  readonly onFailure: () => void;
  /** The process has gone; its players were reported as closed. */
  readonly onEnd: (error: Error | undefined) => void;
}

/** Checks of a silent process before no more players are sent to it. */
const silentLooks = 5;

interface Player {
  readonly shield: string;
  readonly events: RelayEvents;
  /** The process has the connections. */
  isThere: boolean;
}

/** A relay process of this edge's own. */
export class RelayProcess {
  readonly #deps: RelayProcessDeps;
  readonly #child: ChildProcess;
  readonly #players = new PlayerTable<Player>();
  readonly #shares = new ProcessShares();
  readonly #ready = Promise.withResolvers<void>();
  #link: ControlClient | undefined;
  #lastId = 0;
  readonly #sender: PlayerSender;
  #isReady = false;
  #takes = false;
  /** Checks of the pool since its last message. */
  #silentLooks = 0;
  #hasEnded = false;

  constructor(deps: RelayProcessDeps) {
    this.#deps = deps;
    const { folder, lifeline, sender } = deps;
    this.#sender = sender;
    const args = [folder, "4", ...(lifeline === undefined ? [] : ["5"])];
    this.#child = fork(program, args, {
      execArgv: nodeArgs,
      stdio: ["ignore", "inherit", "inherit", "ipc", this.#sender.childFd, lifeline ?? "ignore"],
    });
    this.#sender.started();
    this.#child.on("error", (error) => this.#ended(error));
    this.#child.once("exit", () => {
      // Its last messages are read first.
      if (this.#link === undefined) this.#ended();
    });
    this.#child.once("message", () => this.#connect());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves once it takes players, or has ended before it did. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get players(): number {
    return this.#players.size;
  }

  /** Players it takes beside those it has. */
  get room(): number {
    const isOpen = this.#takes && !this.#isSilent;
    return isOpen ? Math.max(0, this.#deps.playersMax - this.players) : 0;
  }

  /** It may soon take players. */
  get isStarting(): boolean {
    return !this.#isReady && !this.#isSilent;
  }

  get #isSilent(): boolean {
    return this.#silentLooks >= silentLooks;
  }

  /** Once a second. @returns whether it hangs */
  look(): boolean {
    this.#tell(this.#shares.changes(this.#deps.rateOf));
    return ++this.#silentLooks >= hungTicks;
  }

  take(order: RelayOrder): RunningRelay {
    const { header, ids, events } = order;
    const id = ++this.#lastId;
    const head = headOf(order);
    const player: Player = { shield: ids.shield, events, isThere: false };
    this.#players.add(id, player);
    const rate = this.#rateOfFirst(ids.shield);
    const ends = releaseBoth(order);
    if (ends === undefined) {
      threadReactor().later(() => this.#closed(id));
      return { destroy: () => undefined };
    }
    this.#sender.send({ id, ids, header, head, ...rate }, ends, (isSent) => {
      if (!isSent) this.#deps.onFailure();
      order.backend.freed();
      // The backend's descriptor is returned, and the player's until they leave.
      this.#deps.fds.release();
      player.isThere = true;
      if (!isSent) this.#closed(id);
    });
    return { destroy: () => this.#link?.send({ kind: "destroy", id }) };
  }

  /** Ends it and every player. */
  end(): void {
    this.#takes = false;
    if (this.#link === undefined) this.#child.kill();
    else this.#link.send({ kind: "end" });
  }

  /** Also where it hangs. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Leaves the process running with its players. Resolves once it has all of them, or hangs. */
  async leave(): Promise<void> {
    this.#takes = false;
    while (this.#sender.isBusy && !this.#hasEnded && !this.#isSilent) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#sender.close();
    if (this.#child.connected) this.#child.disconnect();
    await this.#link?.close();
  }

  #connect(): void {
    this.#link = new ControlClient(this.#deps.folder, this.#child.pid ?? 0, {
      protocols: [relayProtocol],
      onMessage: (message) => this.#hear(message),
      onEnd: (error) => {
        // A process that reads no messages is useless: another replaces it.
        if (this.#child.connected) this.#child.disconnect();
        this.#ended(error);
      },
    });
  }

  /** The shield's rate, which the process is told as well, if this is its first player there. */
  #rateOfFirst(shield: string): Pick<HandedPlayer, "rate"> | undefined {
    if (!this.#shares.entered(shield)) return undefined;
    const rates = this.#shares.changesOf(shield, this.#deps.rateOf);
    this.#tell(rates);
    const [, rate] = rates[0] ?? [];
    return rate == null ? undefined : { rate };
  }

  #tell(rates: readonly ShareRate[]): void {
    if (rates.length > 0) this.#link?.send({ kind: "shares", rates });
  }

  #hear(message: RelayMessage): void {
    this.#silentLooks = 0;
    if (message.kind === "hello") {
      this.#takes = true;
      this.#becomeReady();
    } else if (message.kind === "moved") addMoved(message, this.#deps.meter);
    else if (message.kind === "players") this.#hearOfPlayers(message.events);
  }

  #hearOfPlayers(events: PlayerEvents): void {
    for (const id of events.answered ?? []) this.#players.get(id)?.events.onAnswered();
    for (const id of events.spoke ?? []) this.#players.get(id)?.events.onSpoke();
    for (const id of events["hung-up"] ?? []) this.#players.get(id)?.events.onHungUp();
    for (const id of events.closed ?? []) this.#closed(id);
  }

  #closed(id: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    this.#players.remove(id);
    this.#shares.left(player.shield);
    if (player.isThere) this.#deps.fds.take();
    player.events.onClosed();
  }

  #ended(error?: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#takes = false;
    this.#sender.close();
    for (const id of this.#players.ids()) this.#closed(id);
    this.#becomeReady();
    this.#deps.onEnd(error);
  }

  #becomeReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
  }
}
