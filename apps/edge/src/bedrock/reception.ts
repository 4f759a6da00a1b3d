import {
  encodeIncompatibleProtocol,
  encodeOpenReply1,
  encodeOpenReply2,
  encodeRefusal,
  headerBytes,
  offlineIds,
  openReply1Bytes,
  type OpenRequest2,
  readOpenRequest1,
  readOpenRequest2,
  readPing,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { isChallengedPlace } from "@palisade/login-rules/login-verdict";
import { SocketAddresses } from "@palisade/sockets/socket-address";
import type { DatagramBatch } from "@palisade/sockets/udp-socket";
import { type Source, sourceKeyOf } from "#src/admission/admission.ts";
import { connectionRefusal } from "#src/connection/connection-refusal.ts";
import { attackOn } from "#src/connection/login.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { ShedReason } from "#src/telemetry/outcomes.ts";
import type { SessionHome } from "./session-home.ts";
import type { SessionTable } from "./session-table.ts";
import { BedrockSession } from "./bedrock-session.ts";
import { bytesOf, endpointOf } from "./datagram-room.ts";
import type { FloodCount } from "./flood-counts.ts";
import { type FirstRequest, rakNetProtocols } from "./handshake-cookie.ts";
import { nextTrace, noteArrival } from "./owner-log.ts";
import { edgeGuid, PingAnswers } from "./ping-answers.ts";
import { RefusedClient } from "./refused-client.ts";

/** Limits of RakNet's MTU as the game uses it: with IP and UDP headers. */
const mtuMin = 400;
const mtuMax = 1_492;
/** Clients of one port that are shown a text at once; others get RakNet's own refusal. */
const refusedMax = 256;

export interface ReceptionPort extends SessionHome {
  readonly table: SessionTable<BedrockSession | RefusedClient>;
}

/**
 * Takes what comes to a port outside of a connection: pings, and the handshake that opens one. Nothing
 * is kept of a client until it has brought back its cookie.
 */
export class Reception {
  readonly #port: ReceptionPort;
  readonly #answers: PingAnswers;
  #refused = 0;

  constructor(port: ReceptionPort) {
    this.#port = port;
    this.#answers = new PingAnswers(port.deps, port.port);
  }

  /** Once a second. */
  tick(): void {
    this.#answers.tick(this.#port.shield);
  }

  take(
    batch: DatagramBatch,
    entry: number,
    session: BedrockSession | RefusedClient | undefined,
    flood: FloodCount,
  ): void {
    const bytes = bytesOf(batch, entry);
    const { sources } = this.#port.deps;
    const client = endpointOf(batch.addresses, entry);
    flood.add(client.ip);
    if (!sources.take(client.ip)) {
      this.#port.drop("over_budget", batch.length(entry));
      return;
    }
    const [id] = bytes;
    if (id === offlineIds.ping || id === offlineIds.pingOpen) this.#ping(batch, entry, bytes);
    else if (id === offlineIds.openRequest1) this.#request1(batch, entry, bytes, client);
    else if (id === offlineIds.openRequest2) this.#request2(batch, entry, bytes, client, session);
    else this.#port.drop("malformed", batch.length(entry));
  }

  /** Lets a client in to be shown the message, or tells it in RakNet's own way. */
  refuse(
    addresses: SocketAddresses,
    entry: number,
    client: Endpoint,
    mtu: number,
    message: string,
  ): void {
    const port = this.#port;
    const { table, deps } = port;
    const isUnderAttack = attackOn(port.shield, deps.mitigation).isUnderAttack;
    if (isUnderAttack || this.#refused >= refusedMax || table.find(addresses, entry) >= 0) {
      this.#answer(addresses, entry, encodeRefusal("noFreeConnections", edgeGuid));
      return;
    }
    this.#refused += 1;
    const onEnd = (): void => void this.#refused--;
    table.add(addresses, entry, (number) => {
      return new RefusedClient(port, { number, client, mtu, message, onEnd });
    });
    this.#answer(addresses, entry, encodeOpenReply2({ guid: edgeGuid, client, mtu }));
  }

  #answer(addresses: SocketAddresses, entry: number, bytes: Uint8Array): void {
    this.#port.deps.room.answer(this.#port.fd, addresses, entry, bytes);
  }

  #ping(batch: DatagramBatch, entry: number, bytes: Buffer): void {
    const { counts } = this.#port.deps;
    const ping = readPing(bytes);
    if (ping === undefined) {
      this.#port.drop("malformed", batch.length(entry));
      return;
    }
    const answer = this.#answers.answer(this.#port.shield, ping, () =>
      this.#answerLater(batch.addresses, entry),
    );
    if (answer === "none") {
      this.#port.drop("over_budget", batch.length(entry));
      return;
    }
    counts.add("pong");
    if (answer === "waits") return;
    this.#answer(batch.addresses, entry, answer);
  }

  #answerLater(addresses: SocketAddresses, entry: number): (bytes: Buffer) => void {
    const client = new SocketAddresses();
    client.copyFrom(addresses, entry);
    return (bytes) => {
      if (!this.#port.isClosed) {
        this.#answer(client, 0, bytes);
        this.#port.deps.room.flush(this.#port.fd);
      }
      client.free();
    };
  }

  #request1(batch: DatagramBatch, entry: number, bytes: Buffer, client: Endpoint): void {
    const request = readOpenRequest1(bytes);
    // Never answered by more bytes than it has: a client fills it up to its MTU.
    if (request === undefined || bytes.length < openReply1Bytes) {
      this.#port.drop("malformed", batch.length(entry));
      return;
    }
    const protocol = rakNetProtocols.find((each) => each === request.protocol);
    if (protocol === undefined) {
      this.#port.drop("incompatible", batch.length(entry));
      const [newest] = rakNetProtocols;
      this.#answer(batch.addresses, entry, encodeIncompatibleProtocol(newest, edgeGuid));
      return;
    }
    const overhead = client.ip.length === 4 ? headerBytes.ipv4 : headerBytes.ipv6;
    this.#answerCookie(batch, entry, client, { protocol, round: 1 }, bytes.length + overhead);
  }

  #answerCookie(
    batch: DatagramBatch,
    entry: number,
    client: Endpoint,
    request: FirstRequest,
    wantedMtu: number,
  ): void {
    const { counts, cookies } = this.#port.deps;
    counts.add("cookie");
    const cookie = cookies.cookieFor(client, this.#port.port, request);
    const reply = encodeOpenReply1({ guid: edgeGuid, cookie, mtu: mtuOf(wantedMtu) });
    this.#answer(batch.addresses, entry, reply);
  }

  #request2(
    batch: DatagramBatch,
    entry: number,
    bytes: Buffer,
    client: Endpoint,
    session: BedrockSession | RefusedClient | undefined,
  ): void {
    const { cookies } = this.#port.deps;
    const request = readOpenRequest2(bytes, true);
    if (request?.cookie === undefined) {
      this.#port.drop("malformed", batch.length(entry));
      return;
    }
    const first = cookies.find(request.cookie, client, this.#port.port);
    if (first === undefined) {
      this.#port.drop("wrong_cookie", batch.length(entry));
      return;
    }
    if (session?.isOpenedBy(request.guid) === true) {
      // The client repeats itself until it has an answer, and the network may bring one of these late.
      session.answerAgain();
      return;
    }
    // It begins anew from the same address, as the game does after it was disconnected.
    session?.end();
    this.#open(batch, entry, client, request, first);
  }

  #open(
    batch: DatagramBatch,
    entry: number,
    client: Endpoint,
    request: OpenRequest2,
    first: FirstRequest,
  ): void {
    const { deps, shield } = this.#port;
    const key = sourceKeyOf(client.ip);
    if (deps.isBanned(key)) {
      this.#port.drop("banned", batch.length(entry));
      return;
    }
    const isSuspected = this.#isSuspected(shield, client, key);
    if (isSuspected && first.round === 1) {
      this.#answerCookie(batch, entry, client, { ...first, round: 2 }, request.mtu);
      return;
    }
    deps.counts.add("opened");
    deps.outcomes.accepted += 1;
    const mtu = mtuOf(request.mtu);
    const refusal = connectionRefusal(shield, client.ip, deps.mitigation, true);
    if (refusal.reason !== undefined) {
      this.#refuseArrival(batch, entry, client, mtu, refusal.reason, refusal);
      return;
    }
    const admitted = this.#admit(shield, key);
    if (typeof admitted === "string") {
      if (admitted === "full") {
        shield.counters.refuse("full");
        this.#refuseArrival(batch, entry, client, mtu, "full", {});
        return;
      }
      deps.outcomes.count(admitted, key);
      this.#answer(batch.addresses, entry, encodeRefusal("noFreeConnections", edgeGuid));
      return;
    }
    // In an attack only its login makes a source known.
    const { isUnderAttack } = attackOn(shield, deps.mitigation);
    if (!isSuspected || !isUnderAttack) deps.known.note(shield.id, key);
    const server = { ip: request.server.ip, port: this.#port.port };
    const opened = { client, server, protocol: first.protocol, mtu, guid: request.guid };
    const session = this.#port.table.add(batch.addresses, entry, (number) => {
      return new BedrockSession(this.#port, number, shield, admitted, opened, isSuspected);
    });
    if (session instanceof BedrockSession) session.dial();
  }

  /** Takes the places of a player. */
  #admit(
    { counters: { load }, shares }: CompiledShield,
    key: string,
  ): Source | "full" | ShedReason {
    const { admission, limits } = this.#port.deps;
    const source = admission.tryAdopt(key);
    if (source === undefined) return "shed_ip";
    if (!load.tryTakePlace(shares.players ?? limits.playersPerShieldMax)) {
      admission.disown(source);
      return "full";
    }
    if (load.trySetOut(limits.dialsPerShieldMax)) return source;
    load.leavePlace();
    admission.disown(source);
    return "shed_shield";
  }

  #refuseArrival(
    batch: DatagramBatch,
    entry: number,
    client: Endpoint,
    mtu: number,
    reason: RefusalReason,
    {
      facts,
      seconds,
    }: { readonly facts?: Readonly<Record<string, string>>; readonly seconds?: number | undefined },
  ): void {
    const { deps, shield, port } = this.#port;
    const trace = nextTrace(deps);
    deps.outcomes.count(reason, sourceKeyOf(client.ip));
    noteArrival(deps, { shield, client, port }, trace, {
      verdict: reason,
      ...(facts && { facts }),
    });
    const message = shield.kicks[reason].text({ player: "", trace, seconds });
    this.refuse(batch.addresses, entry, client, mtu, message);
  }

  /**
   * From High on, and where the owner challenges its country or network, a source that has not joined lately
   * has to answer two cookies.
   */
  #isSuspected(
    { id, rules: { mitigation } }: CompiledShield,
    { ip }: Endpoint,
    key: string,
  ): boolean {
    const { known, mitigation: state } = this.#port.deps;
    const { antibot, trusted } = mitigation;
    if (trusted?.has(ip) === true || known.has(id, key)) return false;
    if (antibot === "high" || antibot === "extreme") return true;
    return isChallengedPlace(ip, mitigation, state, state.nowMs());
  }
}

function mtuOf(wanted: number): number {
  return Math.max(mtuMin, Math.min(mtuMax, wanted));
}
