import {
  encodeIncompatibleProtocol,
  encodeOpenReply1,
  encodeRefusal,
  offlineIds,
  headerBytes,
  openReply1Bytes,
  readOpenRequest1,
  readOpenRequest2,
  readPing,
  type OpenRequest2,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { isDisconnect } from "@palisade/minecraft-protocol/bedrock/disconnect-notification";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { formatIp, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { epollEvents } from "@palisade/sockets/epoll";
import type { DatagramBatch } from "@palisade/sockets/udp-socket";
import { sourceKeyOf } from "#src/admission/admission.ts";
import { connectionRefusal } from "#src/connection/connection-refusal.ts";
import { attackOn } from "#src/connection/login.ts";
import { type EventHandler, type Slot, threadReactor } from "#src/reactor/reactor.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { BedrockDeps } from "./bedrock-deps.ts";
import { BedrockSession, isConnected } from "./bedrock-session.ts";
import { bytesOf, endpointOf, sendRun } from "./datagram-room.ts";
import { type RakNetProtocol, rakNetProtocols, type Round } from "./handshake-cookie.ts";
import { edgeGuid, PingAnswers } from "./ping-answers.ts";
import type { SessionRecord } from "./session-record.ts";
import { SessionTable } from "./session-table.ts";
import { BackendSocket } from "./backend-socket.ts";
import type { HeldSession } from "#src/workers/listening-sockets.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { SocketAddresses } from "@palisade/sockets/socket-address";
import { peerAddress, send } from "@palisade/sockets/tcp";

const scratch = new SocketAddresses();

/** Batches of one event: after these, other sockets have their turn. */
const batchesPerEvent = 4;
/** Limits of RakNet's MTU as the game uses it: with IP and UDP headers. */
const mtuMin = 400;
const mtuMax = 1_492;

/** One UDP port on which players of a shield come, and their sessions. */
export class BedrockPort implements EventHandler {
  readonly fd: number;
  readonly port: number;
  readonly deps: BedrockDeps;
  readonly table = new SessionTable<BedrockSession>();
  readonly #reactor = threadReactor();
  readonly #slot: Slot;
  readonly #answers: PingAnswers;
  readonly #sessionsOf: (BedrockSession | undefined)[] = [];
  #shield: CompiledShield;
  #connections = 0;
  #isClosed = false;

  /** @param fd stays the main thread's. @throws SystemCallError */
  constructor(fd: number, port: number, shield: CompiledShield, deps: BedrockDeps) {
    this.fd = fd;
    this.port = port;
    this.deps = deps;
    this.#shield = shield;
    this.#answers = new PingAnswers(deps.pings, deps.monotonicMs, port);
    this.#slot = this.#reactor.add(fd, epollEvents.readable, this);
  }

  /** Another configuration of the shield, or another shield: sessions go on. */
  serve(shield: CompiledShield): void {
    this.#shield = shield;
  }

  /** Once a second. */
  tick(): void {
    this.#answers.tick(this.#shield);
  }

  ready(): void {
    const { room } = this.deps;
    for (let round = 0; round < batchesPerEvent && !this.#isClosed; round += 1) {
      const count = room.front.receive(this.fd);
      if (count <= 0) return;
      this.#take(room.front, count);
      if (count < room.front.datagramsMax) return;
    }
  }

  /** Answers the client of a session at once. */
  send(number: number, bytes: Uint8Array): void {
    const { room } = this.deps;
    room.answer(this.fd, this.table.addresses, number, bytes);
    room.flush(this.fd);
  }

  forget(number: number): void {
    this.table.remove(number);
  }

  /** For the owner's log. */
  note(
    shield: CompiledShield,
    client: Endpoint,
    verdict: RefusalReason | "joined",
    facts: Readonly<Record<string, string>>,
    isShadow = false,
  ): void {
    const { logins, traceCodes, log } = this.deps;
    const trace = traceCodes.of(++this.#connections);
    const { ip } = client;
    const { isUnderAttack, relaxedTo } = attackOn(shield, this.deps.mitigation);
    logins.note(
      {
        shieldId: shield.id,
        trace,
        verdict,
        shadow: isShadow,
        ip,
        player: "",
        protocol: 0,
        host: `Bedrock ${this.port}`,
        facts: { ...facts, edition: "bedrock" },
      },
      {
        loggedAttempt: () => ({
          ping: "unknown",
          ...(isUnderAttack && { attack: relaxedTo ?? true }),
        }),
      },
    );
    if (isUnderAttack) this.deps.attackSamples.note(shield.id, ip, "", verdict === "joined");
    log.info(
      () => ({ ip: formatIp(ip), port: this.port, shield: shield.id, verdict }),
      "bedrock connection",
    );
  }

  /** Datagrams are the successor's from now on; sessions end, or are taken over. */
  release(): HeldSession[] {
    this.#leaveSocket();
    const released: HeldSession[] = [];
    for (const session of this.table.values()) {
      const each = session.release();
      if (each !== undefined) released.push(each);
    }
    this.table.free();
    return released;
  }

  /** Continues a session of an earlier edge on this socket to its backend. */
  adopt(fd: number, record: SessionRecord): void {
    const { admission, upstream } = this.deps;
    const shield = this.#shield;
    const backend = backendsOf(shield.groups).find(({ id }) => id === record.backend);
    const ip = parseIp(record.client.ip);
    const address = peerAddress(fd);
    const to = address && parseIp(address.ip);
    scratch.write(record.client);
    const isKnown = this.table.find(scratch, 0) >= 0;
    const target = backend?.bedrock;
    if (!backend || !target || !ip || !to || isKnown || shield.id !== record.shield) {
      closeDescriptor(fd);
      return;
    }
    upstream.fds.take();
    const client = { ip, port: record.client.port };
    const { mtu } = record;
    const opened = { client, server: client, protocol: 0, mtu, guid: 0n };
    const source = admission.adopt(sourceKeyOf(ip));
    shield.counters.load.tryTakePlace(Number.POSITIVE_INFINITY);
    this.table.add(scratch, 0, (number) => {
      const session = new BedrockSession(this, number, shield, source, opened);
      const { fds } = upstream;
      const place = { fd, address: { ip: to, text: address.ip } };
      const socket = new BackendSocket(place, fds, session);
      session.adopt({ kind: "open", backend, target, socket, mtu }, record.header);
      return session;
    });
  }

  /** Every session ends. The descriptor's number is not used any more when this returns. */
  close(): void {
    this.#leaveSocket();
    for (const session of this.table.values()) session.end();
    this.table.free();
  }

  #leaveSocket(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.deps.room.flushDown();
    this.#reactor.detach(this.#slot, this.fd);
  }

  /** Runs of datagrams of one session go on in one call each. */
  #take(batch: DatagramBatch, count: number): void {
    const sessions = this.#sessionsOf;
    const { bytes } = batch;
    for (let entry = 0; entry < count; entry += 1) {
      sessions[entry] = undefined;
      if (batch.isCut(entry) || batch.length(entry) < 2) {
        this.deps.counts.add("malformed");
        continue;
      }
      const number = this.table.find(batch.addresses, entry);
      const session = number < 0 ? undefined : this.table.at(number);
      if (!isConnected(bytes, batch.offset(entry))) this.#takeOffline(batch, entry, session);
      else if (session?.isOpen === true) sessions[entry] = session;
      else this.deps.counts.add("stray");
    }
    this.deps.room.flush(this.fd);
    this.#relay(batch, count);
  }

  #relay(batch: DatagramBatch, count: number): void {
    const sessions = this.#sessionsOf;
    const nowMs = this.deps.monotonicMs();
    let relayed = 0;
    for (let first = 0; first < count;) {
      const session = sessions[first];
      let end = first + 1;
      const fd = session?.fd ?? -1;
      // A datagram before may have ended it.
      if (session === undefined || fd < 0) {
        first = end;
        continue;
      }
      let bytes = batch.length(first);
      for (; end < count && sessions[end] === session; end += 1) bytes += batch.length(end);
      this.#sendUp(batch, first, end - first, session, fd);
      relayed += end - first;
      session.sentUp(bytes, nowMs);
      const last = end - 1;
      const at = batch.offset(last);
      if (isDisconnect(batch.bytes, at, at + batch.length(last))) session.leaves();
      first = end;
    }
    if (relayed > 0) this.deps.counts.add("relayed", relayed);
  }

  #sendUp(
    batch: DatagramBatch,
    first: number,
    count: number,
    { header }: BedrockSession,
    fd: number,
  ): void {
    if (header.length > 0) {
      for (let entry = first; entry < first + count; entry += 1) {
        this.deps.room.toPeer(fd, header, bytesOf(batch, entry));
      }
    } else if (count === 1) {
      // Cheaper than a call for many. The kernel drops what it has no room for.
      send(fd, batch.addressOf(first), batch.length(first));
    } else {
      for (let entry = first; entry < first + count; entry += 1) {
        batch.prepareForPeer(entry, batch.length(entry));
      }
      sendRun(batch, fd, first, count);
    }
  }

  #takeOffline(batch: DatagramBatch, entry: number, session: BedrockSession | undefined): void {
    const bytes = bytesOf(batch, entry);
    const { counts, sources } = this.deps;
    const client = endpointOf(batch.addresses, entry);
    if (!sources.take(client.ip)) {
      counts.add("over_budget");
      return;
    }
    const [id] = bytes;
    if (id === offlineIds.ping || id === offlineIds.pingOpen) this.#ping(batch, entry, bytes);
    else if (id === offlineIds.openRequest1) this.#request1(batch, entry, bytes, client);
    else if (id === offlineIds.openRequest2) this.#request2(batch, entry, bytes, client, session);
    else counts.add("malformed");
  }

  #ping(batch: DatagramBatch, entry: number, bytes: Buffer): void {
    const { counts, room } = this.deps;
    const ping = readPing(bytes);
    if (ping === undefined) {
      counts.add("malformed");
      return;
    }
    const answer = this.#answers.answer(this.#shield, ping, () => {
      const client = new SocketAddresses();
      client.copyFrom(batch.addresses, entry);
      return (late) => {
        if (!this.#isClosed) room.answer(this.fd, client, 0, late);
        room.flush(this.fd);
        client.free();
      };
    });
    counts.add(answer === undefined ? "over_budget" : "pong");
    if (answer !== undefined) room.answer(this.fd, batch.addresses, entry, answer);
  }

  #request1(batch: DatagramBatch, entry: number, bytes: Buffer, client: Endpoint): void {
    const { counts, room } = this.deps;
    const request = readOpenRequest1(bytes);
    // Never answered by more bytes than it has: a client fills it up to its MTU.
    if (request === undefined || bytes.length < openReply1Bytes) {
      counts.add("malformed");
      return;
    }
    const protocol = rakNetProtocols.find((each) => each === request.protocol);
    if (protocol === undefined) {
      counts.add("incompatible");
      const [newest] = rakNetProtocols;
      room.answer(this.fd, batch.addresses, entry, encodeIncompatibleProtocol(newest, edgeGuid));
      return;
    }
    const overhead = client.ip.length === 4 ? headerBytes.ipv4 : headerBytes.ipv6;
    this.#answerCookie(batch, entry, client, protocol, 1, bytes.length + overhead);
  }

  #answerCookie(
    batch: DatagramBatch,
    entry: number,
    client: Endpoint,
    protocol: RakNetProtocol,
    round: Round,
    wantedMtu: number,
  ): void {
    const { counts, room, cookies } = this.deps;
    counts.add("cookie");
    const cookie = cookies.cookieFor(client, this.port, { protocol, round });
    const mtu = mtuOf(wantedMtu);
    const reply = encodeOpenReply1({ guid: edgeGuid, cookie, mtu });
    room.answer(this.fd, batch.addresses, entry, reply);
  }

  #request2(
    batch: DatagramBatch,
    entry: number,
    bytes: Buffer,
    client: Endpoint,
    session: BedrockSession | undefined,
  ): void {
    const { counts, cookies } = this.deps;
    const request = readOpenRequest2(bytes, true);
    if (request?.cookie === undefined) {
      counts.add("malformed");
      return;
    }
    const first = cookies.find(request.cookie, client, this.port);
    if (first === undefined) {
      counts.add("wrong_cookie");
      return;
    }
    if (session !== undefined && !session.hasBegun) {
      // The client repeats itself until it has an answer.
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
    { protocol, round }: { readonly protocol: RakNetProtocol; readonly round: Round },
  ): void {
    const { deps } = this;
    const { admission, outcomes, counts, room } = deps;
    const shield = this.#shield;
    const key = sourceKeyOf(client.ip);
    if (deps.isBanned(key)) {
      counts.add("banned");
      return;
    }
    if (round === 1 && this.#isSuspected(shield, client, key)) {
      this.#answerCookie(batch, entry, client, protocol, 2, request.mtu);
      return;
    }
    counts.add("opened");
    outcomes.accepted += 1;
    const refuse = (kind: "banned" | "noFreeConnections"): void =>
      room.answer(this.fd, batch.addresses, entry, encodeRefusal(kind, edgeGuid));
    const refused = connectionRefusal(shield, client.ip, deps.mitigation);
    if (refused.reason !== undefined) {
      outcomes.count(refused.reason, key);
      this.note(shield, client, refused.reason, refused.facts);
      refuse(lastingRefusals.has(refused.reason) ? "banned" : "noFreeConnections");
      return;
    }
    const source = admission.tryAdopt(key);
    if (source === undefined) {
      outcomes.count("shed_ip", key);
      refuse("noFreeConnections");
      return;
    }
    const { load } = shield.counters;
    const max = shield.shares.players ?? deps.limits.playersPerShieldMax;
    if (!load.tryTakePlace(max)) {
      admission.disown(source);
      shield.counters.refuse("full");
      outcomes.count("full", key);
      this.note(shield, client, "full", {});
      refuse("noFreeConnections");
      return;
    }
    if (!load.trySetOut(deps.limits.dialsPerShieldMax)) {
      load.leavePlace();
      admission.disown(source);
      outcomes.count("shed_shield", key);
      refuse("noFreeConnections");
      return;
    }
    deps.known.note(shield.id, key);
    const opened = {
      client,
      server: { ip: request.server.ip, port: this.port },
      protocol,
      mtu: mtuOf(request.mtu),
      guid: request.guid,
    };
    this.table
      .add(
        batch.addresses,
        entry,
        (number) => new BedrockSession(this, number, shield, source, opened),
      )
      .dial();
  }

  /** From High on, a source that has not joined lately has to answer two cookies. */
  #isSuspected(
    { id, rules: { mitigation } }: CompiledShield,
    { ip }: Endpoint,
    key: string,
  ): boolean {
    const { antibot, trusted } = mitigation;
    if (antibot !== "high" && antibot !== "extreme") return false;
    return trusted?.has(ip) !== true && !this.deps.known.has(id, key);
  }
}

/** Refusals that stand until the owner changes something: the game says that the player is banned. */
const lastingRefusals = new Set<RefusalReason>(["blacklist", "whitelist_only", "vpn", "blocked"]);

function mtuOf(wanted: number): number {
  return Math.max(mtuMin, Math.min(mtuMax, wanted));
}
