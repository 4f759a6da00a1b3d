import { Epoll, epollEvents } from "./epoll.ts";
import { closeDescriptor } from "./descriptors.ts";
import { createEventFd, EventFd } from "./event-fd.ts";
import { UnsupportedPlatformError } from "./native-code.ts";
import { boundAddress } from "./tcp.ts";
import { bindUdp, DatagramBatch } from "./udp-socket.ts";
import { createChannelPair, UnixChannel } from "./unix-channel.ts";

const loopback = "127.0.0.1";
const slot = 0x1234_5678;
const generation = 0x9abc_def0;
const waitMs = 1_000;

/**
 * Sends known values through the kernel and reads them back, once at start: an event, an address,
 * two datagrams of one batch and a descriptor. A structure that this machine lays out in another way
 * would otherwise show as damage much later.
 *
 * @throws UnsupportedPlatformError with the structure's name
 */
export function checkLayouts(): void {
  checkEvent();
  checkBatch();
  checkRights();
}

function expectLayout(isRight: boolean, structure: string): void {
  if (isRight) return;
  throw new UnsupportedPlatformError(`${structure} has another layout on this machine`);
}

function checkEvent(): void {
  const epoll = new Epoll(4);
  const signal = new EventFd(createEventFd());
  try {
    epoll.add(signal.fd, epollEvents.readable, slot, generation);
    signal.signal();
    const isRight =
      epoll.wait(waitMs) === 1 &&
      epoll.events(0) === epollEvents.readable &&
      epoll.slot(0) === slot &&
      epoll.generation(0) === generation;
    expectLayout(isRight, "struct epoll_event");
  } finally {
    signal.close();
    epoll.close();
  }
}

function checkBatch(): void {
  const fd = bindUdp({ ip: loopback, port: 0 });
  try {
    const own = boundAddress(fd);
    expectLayout(own.ip === loopback && own.port > 0, "struct sockaddr_in");
    const batch = new DatagramBatch({ datagramsMax: 2, datagramBytesMax: 16 });
    const texts = ["first", "second!"];
    texts.forEach((text, entry) => {
      batch.bytes.write(text, batch.offset(entry), "latin1");
      batch.addresses.write(own, entry);
      batch.prepare(entry, text.length);
    });
    const sent = batch.send(fd, 0, texts.length);
    batch.bytes.fill(0);
    const received = sent === texts.length ? batch.receive(fd) : 0;
    const isRight =
      received === texts.length &&
      texts.every((text, entry) => {
        const start = batch.offset(entry);
        const { ip, port } = batch.addresses.read(entry);
        const found = batch.bytes.toString("latin1", start, start + batch.length(entry));
        return found === text && ip === own.ip && port === own.port;
      });
    expectLayout(isRight, "struct mmsghdr");
  } finally {
    closeDescriptor(fd);
  }
}

function checkRights(): void {
  const [left, right] = createChannelPair();
  const sender = new UnixChannel(left, 16);
  const receiver = new UnixChannel(right, 16);
  const signal = new EventFd(createEventFd());
  try {
    sender.send(Buffer.from("rights"), [signal.fd]);
    const message = receiver.receive();
    const [passed] = typeof message === "object" && message !== null ? message.descriptors : [];
    expectLayout(passed !== undefined, "struct cmsghdr");
    if (passed === undefined) return;
    const copy = new EventFd(passed);
    copy.signal();
    copy.close();
    expectLayout(signal.reset(), "struct cmsghdr");
  } finally {
    signal.close();
    sender.close();
    receiver.close();
  }
}
