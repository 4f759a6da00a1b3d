import { closeDescriptor } from "@palisade/sockets/descriptors";
import { Epoll, epollEvents } from "@palisade/sockets/epoll";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import { send } from "@palisade/sockets/tcp";
import { bindUdp, connectUdp, DatagramBatch } from "@palisade/sockets/udp-socket";
import { SessionTable } from "./session-table.ts";

export interface UdpRelayOptions {
  /** Clients send to this address. */
  readonly front: InternetAddress;
  readonly backend: InternetAddress;
  /** Datagrams of more clients are lost. */
  readonly sessionsMax: number;
}

/** Datagrams of one call. */
const batchDatagrams = 64;
/** The datagrams of one session in a turn; the others are served in between. */
const burstDatagrams = 8;
/** Longer than any path on the Internet takes. */
const datagramBytesMax = 2_048;
const bufferBytes = 4 * 1_024 * 1_024;
const frontSlot = 0;

/**
 * Relays UDP in one thread. Each client has a session with its own connected socket to the backend,
 * as the backend tells players apart by their port. A datagram is lost if the kernel has no room for
 * it, as UDP may lose it. Sessions do not end before the relay.
 */
export class UdpRelay {
  readonly #options: UdpRelayOptions;
  readonly #front: number;
  readonly #epoll = new Epoll(256);
  readonly #sessions: SessionTable;
  readonly #up = new DatagramBatch({ datagramsMax: batchDatagrams, datagramBytesMax });
  readonly #down = new DatagramBatch({ datagramsMax: batchDatagrams, datagramBytesMax });
  /** Entries of `#down` that wait for the end of the turn. */
  #filled = 0;
  #turns = 0;

  /** @throws SystemCallError `EADDRINUSE`, `EADDRNOTAVAIL`, `EMFILE` */
  constructor(options: UdpRelayOptions) {
    this.#options = options;
    this.#sessions = new SessionTable(options.sessionsMax);
    this.#front = bindUdp({ ...options.front, bufferBytes });
    this.#epoll.add(this.#front, epollEvents.readable, frontSlot, 0);
  }

  /** Waits for datagrams and relays them. @param timeoutMs -1 waits without an end */
  turn(timeoutMs: number): void {
    const count = this.#epoll.wait(timeoutMs);
    this.#turns += 1;
    let isFrontReadable = false;
    for (let index = 0; index < count; index += 1) {
      const slot = this.#epoll.slot(index);
      if (slot === frontSlot) isFrontReadable = true;
      else this.#fromBackend(slot - 1);
    }
    this.#flush();
    if (isFrontReadable) this.#fromClients();
  }

  #fromClients(): void {
    const count = this.#up.receive(this.#front);
    let first = 0;
    let session = -1;
    for (let entry = 0; entry < count; entry += 1) {
      const next = this.#sessionOf(entry);
      if (entry > first && next !== session) {
        this.#sendUp(session, first, entry - first);
        first = entry;
      }
      session = next;
    }
    if (count > first) this.#sendUp(session, first, count - first);
  }

  /** Consecutive datagrams of one client are one call. */
  #sendUp(session: number, first: number, count: number): void {
    if (session === -1) return;
    const fd = this.#sessions.descriptor(session);
    if (count === 1) {
      send(fd, this.#up.addressOf(first), this.#up.length(first));
      return;
    }
    for (let entry = first; entry < first + count; entry += 1) {
      this.#up.prepareForPeer(entry, this.#up.length(entry));
    }
    this.#up.send(fd, first, count);
  }

  /** One at a time is cheapest; of a backend that sends more, they are taken together. */
  #fromBackend(session: number): void {
    if (this.#filled > batchDatagrams - burstDatagrams) this.#flush();
    const fd = this.#sessions.descriptor(session);
    const first = this.#filled;
    if (this.#sessions.wasReadBefore(session, this.#turns)) {
      const count = this.#down.receive(fd, first, burstDatagrams);
      for (let entry = first; entry < first + count; entry += 1) {
        this.#keep(session, entry, this.#down.length(entry));
      }
      return;
    }
    const length = this.#down.receiveOne(fd, first);
    if (length >= 0 && length <= datagramBytesMax) this.#keep(session, first, length);
  }

  #keep(session: number, entry: number, length: number): void {
    this.#down.addresses.copyFrom(this.#sessions.clients, session, entry);
    this.#down.prepare(entry, length);
    this.#filled = entry + 1;
  }

  #flush(): void {
    let sent = 0;
    while (sent < this.#filled) {
      const count = this.#down.send(this.#front, sent, this.#filled - sent);
      // After a failure the first of them is lost: no room, or no way to the client.
      sent += count > 0 ? count : 1;
    }
    this.#filled = 0;
  }

  #sessionOf(entry: number): number {
    const { addresses } = this.#up;
    const known = this.#sessions.find(addresses, entry);
    return known === -1 && !this.#sessions.isFull ? this.#open(entry) : known;
  }

  #open(entry: number): number {
    const { ip } = this.#options.backend;
    const fd = bindUdp({ ip: ip.includes(":") ? "::" : "0.0.0.0", port: 0, bufferBytes });
    if (connectUdp(fd, this.#options.backend) < 0) {
      closeDescriptor(fd);
      return -1;
    }
    const session = this.#sessions.add(this.#up.addresses, entry, fd);
    this.#epoll.add(fd, epollEvents.readable, session + 1, 0);
    return session;
  }
}
