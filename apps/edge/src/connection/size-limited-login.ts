import { asUnpacked } from "@palisade/minecraft-protocol/java/frame";
import { FrameScanner } from "@palisade/minecraft-protocol/java/frame-scanner";
import type { Dialled } from "#src/dialling/player-dial.ts";
import type { Connection, ConnectionListener } from "@palisade/sockets/tcp-connection";
import { asksPlayer } from "@palisade/login-rules/login-verdict";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { type JavaConnection, Step } from "./java-connection.ts";
import { SharedReads } from "./login-bandwidth.ts";
import { type Kick, kickOffline, refusePacket } from "./login-kicks.ts";
import type { Login } from "./login-outcome.ts";
import type { PlayerHandover } from "./player-handover.ts";

const encryptionId = 1;
const successId = 2;
const compressionId = 3;

/**
 * Watches the announced sizes of a player's packets from Login Start until the connection is
 * encrypted: until the answer to the server's Encryption Request or, if there is none, until the
 * server lets the player in. For servers that compress their packets before that (Fabric's, without
 * accounts) it ends with the first compressed one, which may be the one that lets the player in.
 */
export class LoginWatch {
  readonly #bytesMax: number;
  readonly #player = new FrameScanner((bytes, id) => this.#meetPlayers(bytes, id));
  readonly #server = new FrameScanner((_bytes, id) => this.#meetServers(id));
  #excess: number | undefined;
  #isAsked = false;
  #isCompressed = false;
  #isOver = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Further packets are not checked. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The size that the first packet above the limit has announced. */
  get excess(): number | undefined {
    return this.#excess;
  }

  /** The server's packets to the player, up to here. */
  get isCompressed(): boolean {
    return this.#isCompressed;
  }

  /** Whether the player has got the server's packets completely. */
  get isBetweenPackets(): boolean {
    return this.#server.isBetweenFrames;
  }

  /** Bytes of the player, beginning with those right behind Login Start. */
  readPlayer(bytes: Uint8Array): void {
    if (!this.#isOver) this.#player.read(bytes);
  }

  readServer(bytes: Uint8Array): void {
    if (!this.#isOver) this.#server.read(bytes);
  }

  #meetPlayers(bytes: number, id: number | undefined): boolean {
    if (bytes > this.#bytesMax) this.#excess = bytes;
    else if (!this.#isAsked || id !== encryptionId) return true;
    return this.#end();
  }

  #meetServers(id: number | undefined): boolean {
    if (id === encryptionId) this.#isAsked = true;
    if (id === successId || id === undefined) return this.#end();
    if (id === compressionId && !this.#isCompressed) {
      this.#isCompressed = true;
      this.#server.compress();
    }
    return true;
  }

  #end(): false {
    this.#isOver = true;
    return false;
  }
}

/** In shadow mode only the first refusal of a login is reported. */
export function watchOf(
  login: Login,
  { rules }: CompiledShield,
  bytesMax: number,
): LoginWatch | undefined {
  const { form, shadowed } = login;
  const isLimited =
    form === "modern" && shadowed === undefined && asksPlayer(rules.mitigation, login);
  return isLimited ? new LoginWatch(bytesMax) : undefined;
}

/**
 * Checks the player's bytes.
 *
 * @param from where those begin that are new
 * @returns the kick for a packet that is too large
 */
export function measure(
  login: Login,
  shield: CompiledShield,
  watch: LoginWatch,
  bytes: Buffer,
  from = 0,
): Kick | undefined {
  if (watch.isOver) return undefined;
  watch.readPlayer(bytes.subarray(from));
  if (watch.excess === undefined) return undefined;
  const refused = refusePacket(login, shield, login.conn.deps.mitigation, watch.excess);
  if ("kick" in refused) return refused.kick;
  login.shadowed = refused.shadowed;
  return undefined;
}

const nothing = Buffer.alloc(0);

/**
 * Passes a login on between player and backend while the sizes of the player's packets are limited;
 * then a relay takes both sockets. Without a limit of the owner no login comes here.
 */
export class SizeLimitedLogin extends Step {
  override readonly usesNode = false;
  readonly #login: Login;
  readonly #shield: CompiledShield;
  readonly #watch: LoginWatch;
  readonly #handover: PlayerHandover;
  readonly #dialled: Dialled;
  readonly #serversListener: ConnectionListener = {
    usesNode: false,
    received: (bytes) => this.#answered(bytes),
    ended: () => this.#serverEnded(),
    closed: () => this.#serverEnded(),
    drained: () => this.#serverDrained(),
  };
  readonly #fromPlayer: SharedReads;
  readonly #fromServer: SharedReads;
  #hasShare = true;
  #isAnswered = false;
  /** Neither side is read any more. */
  #isLeaving = false;

  constructor(
    login: Login,
    shield: CompiledShield,
    watch: LoginWatch,
    handover: PlayerHandover,
    dialled: Dialled,
  ) {
    super();
    this.#login = login;
    this.#shield = shield;
    this.#watch = watch;
    this.#handover = handover;
    this.#dialled = dialled;
    const { deps, socket } = login.conn;
    const share = deps.loginBandwidth.enter(shield);
    this.#fromPlayer = new SharedReads(socket, dialled.socket, share);
    this.#fromServer = new SharedReads(dialled.socket, socket, share);
  }

  begin(): void {
    const { conn } = this.#login;
    const { socket } = this.#dialled;
    const head = conn.forwarded;
    conn.forget();
    conn.step = this;
    // Until the server has said something it may be a silent one.
    conn.deadline(conn.deps.limits.dialMs);
    conn.socket.setNoDelay();
    socket.listen(this.#serversListener);
    this.#counters.bytesUp += head.length;
    this.#handover.greet(this.#dialled, head);
    socket.resume();
    conn.socket.resume();
  }

  override received(_conn: JavaConnection, chunk: Buffer): void {
    const tooLarge = measure(this.#login, this.#shield, this.#watch, chunk);
    if (tooLarge !== undefined) {
      this.#refuse(tooLarge);
      return;
    }
    this.#counters.bytesUp += chunk.length;
    this.#fromPlayer.took(chunk);
    // A relay would not know that the server has still to say something.
    if (this.#watch.isOver && this.#isAnswered) this.#handOver();
  }

  override ended(conn: JavaConnection): void {
    this.#end();
    conn.leave();
  }

  /**
   * The server has said nothing, and the player is told that it is offline. `loginMs` is longer than
   * any server waits; the connection is not cut for it.
   */
  override expire(conn: JavaConnection): void {
    if (!this.#isAnswered) this.#refuseOffline();
    else if (this.#isLeaving) conn.drop("deadline");
    else this.#handOver();
  }

  /**
   * The server has let the player in: both sockets go to a relay process, which may outlive this
   * one.
   */
  override stop(): void {
    if (!this.#isLeaving) this.#handOver();
  }

  override closed(): void {
    this.#end();
  }

  get #conn(): JavaConnection {
    return this.#login.conn;
  }

  get #server(): Connection {
    return this.#dialled.socket;
  }

  get #counters() {
    return this.#shield.counters;
  }

  #answered(bytes: Buffer): void {
    const { conn } = this.#login;
    if (!this.#isAnswered) {
      this.#isAnswered = true;
      conn.deps.health.succeeded(this.#dialled.backend);
      conn.deadline(conn.deps.limits.loginMs);
    }
    this.#watch.readServer(bytes);
    this.#counters.bytesDown += bytes.length;
    this.#fromServer.took(bytes);
    if (this.#watch.isOver) this.#handOver();
  }

  /** The player has taken all that waited for them. */
  override drained(): void {
    if (this.#isLeaving) this.#handOverWritten();
    else this.#fromServer.resume();
  }

  #serverDrained(): void {
    if (this.#isLeaving) this.#handOverWritten();
    else this.#fromPlayer.resume();
  }

  #serverEnded(): void {
    const { conn } = this.#login;
    if (!this.#isAnswered) conn.deps.health.hungUp(this.#dialled.backend);
    this.#end();
    conn.closeAfter(nothing);
  }

  #handOver(): void {
    this.#isLeaving = true;
    this.#leaveShare();
    // Also when the deadline has expired: an end that takes no bytes is not waited for.
    this.#conn.deadline(this.#conn.deps.limits.dialMs);
    this.#handOverWritten();
  }

  /** Bytes that one end has not taken yet would be lost when ours ends. */
  #handOverWritten(): void {
    const { conn } = this.#login;
    const sockets = [conn.socket, this.#server];
    // The end of a side that is gone is reported, and ends this. A slow one reports that it drained.
    if (conn.step !== this || sockets.some(({ isGone }) => isGone)) return;
    if (sockets.some(({ unsentBytes }) => unsentBytes > 0)) return;
    this.#letGo();
    this.#login.joined();
    this.#handover.start(this.#dialled, undefined, conn.becomePlayer());
  }

  #refuse(kick: Kick): void {
    const { isBetweenPackets, isCompressed } = this.#watch;
    this.#giveUp();
    // Inside another packet no client would read it.
    const packet = isCompressed ? asUnpacked(kick.packet) : kick.packet;
    this.#login.kick({ ...kick, packet: isBetweenPackets ? packet : nothing });
  }

  #refuseOffline(): void {
    const login = this.#login;
    login.conn.deps.health.hungUp(this.#dialled.backend);
    this.#giveUp();
    login.kick(kickOffline(login, this.#shield, "offline", login.shadowed));
  }

  /** The player or the server has left: ends like any login that had reached the backend. */
  #end(): void {
    this.#giveUp();
    this.#counters.joins++;
    this.#login.joined();
    this.#conn.finish("forwarded");
  }

  #giveUp(): void {
    this.#letGo();
    this.#server.destroy();
    this.#handover.abort();
  }

  #letGo(): void {
    this.#leaveShare();
    this.#server.listen(undefined);
  }

  /** Neither side is read any more. */
  #leaveShare(): void {
    for (const reads of [this.#fromPlayer, this.#fromServer]) reads.stop();
    if (this.#hasShare) this.#conn.deps.loginBandwidth.leave(this.#shield.id);
    this.#hasShare = false;
  }
}
