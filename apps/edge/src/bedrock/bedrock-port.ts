import { isDisconnect } from "@palisade/minecraft-protocol/bedrock/disconnect-notification";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { SocketAddresses } from "@palisade/sockets/socket-address";
import { boundAddress, peerAddress, send } from "@palisade/sockets/tcp";
import type { DatagramBatch } from "@palisade/sockets/udp-socket";
import { sourceKeyOf } from "#src/admission/admission.ts";
import { type EventHandler, type Slot, threadReactor } from "@palisade/sockets/reactor";
import type { DatagramVerdict } from "#src/telemetry/datagram-counts.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import { backendsOf } from "#src/shields/shield-registry.ts";
import type { HeldSession } from "./session-record.ts";
import { BackendSocket } from "./backend-socket.ts";
import type { BedrockDeps } from "./bedrock-deps.ts";
import { BedrockSession, isConnected } from "./bedrock-session.ts";
import { bytesOf, sendRun } from "./datagram-room.ts";
import { Reception, type ReceptionPort } from "./reception.ts";
import type { RefusedSession } from "./session-home.ts";
import { RefusedClient } from "./refused-client.ts";
import type { SessionRecord } from "./session-record.ts";
import { SessionTable } from "./session-table.ts";

const scratch = new SocketAddresses();
/** Batches of one event: after these, other sockets have their turn. */
const batchesPerEvent = 4;

/** One UDP port on which players of a shield come, and their sessions. */
export class BedrockPort implements EventHandler, ReceptionPort {
  readonly fd: number;
  readonly port: number;
  readonly deps: BedrockDeps;
  readonly table = new SessionTable<BedrockSession | RefusedClient>();
  readonly #reactor = threadReactor();
  readonly #slot: Slot;
  readonly #reception: Reception;
  readonly #sessionsOf: (BedrockSession | undefined)[] = [];
  #shield: CompiledShield;
  #isClosed = false;

  /** @param fd stays the main thread's. @throws SystemCallError */
  constructor(fd: number, port: number, shield: CompiledShield, deps: BedrockDeps) {
    this.fd = fd;
    this.port = port;
    this.deps = deps;
    this.#shield = shield;
    this.#reception = new Reception(this);
    this.#slot = this.#reactor.add(fd, epollEvents.readable, this);
  }

  get shield(): CompiledShield {
    return this.#shield;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Another configuration of the shield, or another shield: sessions go on. */
  serve(shield: CompiledShield): void {
    this.#shield = shield;
  }

  /** Once a second. */
  tick(): void {
    this.#reception.tick();
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

  send(number: number, bytes: Uint8Array): void {
    const { room } = this.deps;
    room.answer(this.fd, this.table.addresses, number, bytes);
    room.flush(this.fd);
  }

  drop(verdict: DatagramVerdict, bytes: number): void {
    this.deps.counts.add(verdict);
    this.#shield.counters.addAttackBytes(bytes);
  }

  forget(number: number): void {
    this.table.remove(number);
  }

  refuse(session: RefusedSession, mtu: number, message: string): void {
    scratch.copyFrom(this.table.addresses, session.number);
    session.end();
    this.#reception.refuse(scratch, 0, session.request.client, mtu, message);
  }

  /** Datagrams are the next edge's from now on. The descriptors of the sessions are the caller's. */
  release(): HeldSession[] {
    this.#leaveSocket();
    const released: HeldSession[] = [];
    for (const session of this.table.values()) {
      const each = session instanceof RefusedClient ? session.end() : session.release();
      if (each !== undefined) released.push(each);
    }
    this.table.free();
    return released;
  }

  /** Continues a session of an earlier edge. @param fd its socket to the backend */
  adopt(fd: number, record: SessionRecord): void {
    const { admission, upstream } = this.deps;
    const shield = this.#shield;
    const backend = backendsOf(shield.groups).find(({ id }) => id === record.backend);
    const target = backend?.bedrock;
    const ip = parseIp(record.client.ip);
    const to = peerAddress(fd);
    const address = to && parseIp(to.ip);
    if (!backend || !target || !ip || !to || !address || shield.id !== record.shield) {
      closeDescriptor(fd);
      return;
    }
    this.#writeClient(ip, record.client.port);
    if (this.table.find(scratch, 0) >= 0) {
      closeDescriptor(fd);
      return;
    }
    upstream.fds.take();
    const client = { ip, port: record.client.port };
    const { mtu } = record;
    const request = { client, server: client, protocol: 0, mtu, guid: BigInt(record.guid) };
    const key = sourceKeyOf(ip);
    const source = admission.adopt(key);
    this.deps.known.note(shield.id, key);
    shield.counters.load.tryTakePlace(Number.POSITIVE_INFINITY);
    this.table.add(scratch, 0, (number) => {
      const session = new BedrockSession(this, number, shield, source, request);
      const opened = { fd, address: { ip: address, text: to.ip } };
      const socket = new BackendSocket(opened, upstream.fds, session);
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

  /** As the kernel tells the sender: a socket for both families has IPv4 addresses as mapped ones. */
  #writeClient(ip: Uint8Array, port: number): void {
    const isMapped = ip.length === 4 && boundAddress(this.fd).ip.includes(":");
    const bytes = isMapped ? Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...ip) : ip;
    scratch.write({ ip: "", port, bytes });
  }

  #leaveSocket(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.deps.room.flushDown();
    this.#reactor.detach(this.#slot, this.fd);
  }

  #take(batch: DatagramBatch, count: number): void {
    const sessions = this.#sessionsOf;
    const { bytes } = batch;
    const { room, floods } = this.deps;
    const flood = floods.of(this.#shield);
    for (let entry = 0; entry < count; entry += 1) {
      sessions[entry] = undefined;
      if (batch.isCut(entry) || batch.length(entry) < 2) {
        flood.datagrams += 1;
        this.drop("malformed", batch.length(entry));
        continue;
      }
      const number = this.table.find(batch.addresses, entry);
      const session = number < 0 ? undefined : this.table.at(number);
      if (!isConnected(bytes, batch.offset(entry))) {
        this.#reception.take(batch, entry, session, flood);
      } else if (session instanceof RefusedClient) session.receive(bytesOf(batch, entry));
      else if (session?.isOpen === true) sessions[entry] = session;
      else {
        flood.datagrams += 1;
        this.drop("stray", batch.length(entry));
      }
    }
    // Players first: the answers of a flood wait for them.
    this.#relay(batch, count);
    room.flush(this.fd);
  }

  /** Datagrams of one session that follow each other go on in one call. */
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
      if (session.isReading) {
        for (let entry = first; entry < end; entry += 1) session.read(bytesOf(batch, entry));
      }
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
}
