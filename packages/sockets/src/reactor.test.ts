import { closeDescriptor, trackDescriptors, type DescriptorTracking } from "./descriptors.ts";
import { epollEvents } from "./epoll.ts";
import { createEventFd, EventFd } from "./event-fd.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Reactor } from "./reactor.ts";

let tracking: DescriptorTracking;
let reactor: Reactor;

beforeEach(() => {
  tracking = trackDescriptors();
  reactor = new Reactor(16);
});
afterEach(() => {
  reactor.close();
  tracking.stop();
});

/** A descriptor that is readable, with a handler that counts its events. */
function readable(onReady?: () => void) {
  const signal = new EventFd(createEventFd());
  signal.signal();
  const counted = { signal, fd: signal.fd, events: 0, slot: -1 };
  counted.slot = reactor.add(signal.fd, epollEvents.readable, {
    ready: () => {
      counted.events += 1;
      onReady?.();
      return true;
    },
  });
  return counted;
}

function close({ slot, fd }: { readonly slot: number; readonly fd: number }): void {
  reactor.remove(slot);
  closeDescriptor(fd);
}

test("work for after the events of a turn is done in it, once, and after all of them", () => {
  const log: string[] = [];
  const deferred = readable(() => {
    log.push("event");
    reactor.afterEvents(() => log.push("after"));
  });
  const other = readable(() => log.push("event"));
  reactor.turn(0);
  expect(log).toEqual(["event", "event", "after"]);
  deferred.signal.reset();
  reactor.turn(0);
  expect(log).toEqual(["event", "event", "after", "event"]);
  close(deferred);
  close(other);
});

describe("an event", () => {
  test("reaches the handler of its descriptor in every turn until it is handled", () => {
    const one = readable();
    const other = readable();
    expect([reactor.turn(0), reactor.turn(0)]).toEqual([2, 2]);
    one.signal.reset();
    reactor.turn(0);
    expect([one.events, other.events]).toEqual([2, 3]);
    close(one);
    close(other);
  });

  test("for a descriptor that a handler of the same turn has closed reaches no one", () => {
    const opened: ReturnType<typeof readable>[] = [];
    const closeOthers = (): void => {
      for (const other of opened.splice(0)) {
        close(other);
        // Takes the same slot, and mostly the same descriptor.
        late.push(readable());
      }
    };
    const late: ReturnType<typeof readable>[] = [];
    const first = readable(closeOthers);
    opened.push(readable(), readable());
    const closed = [...opened];
    reactor.turn(0);
    expect(first.events).toBe(1);
    expect([...closed, ...late].map(({ events }) => events)).toEqual([0, 0, 0, 0]);
    reactor.turn(0);
    expect(late.map(({ events }) => events)).toEqual([1, 1]);
    for (const each of [first, ...late]) close(each);
  });

  test("is reported no more after its descriptor is detached, although it is open", () => {
    const one = readable();
    reactor.detach(one.slot, one.fd);
    expect(reactor.turn(0)).toBe(0);
    closeDescriptor(one.fd);
  });

  test("that is not wanted any more is not reported, and is again once it is", () => {
    const one = readable();
    reactor.change(one.slot, one.fd, 0);
    expect(reactor.turn(0)).toBe(0);
    reactor.change(one.slot, one.fd, epollEvents.readable);
    expect(reactor.turn(0)).toBe(1);
    close(one);
  });
});

test("slots are used again, and thousands of descriptors have one each", () => {
  const many = Array.from({ length: 3_000 }, () => readable());
  expect(reactor.size).toBe(3_000);
  expect(new Set(many.map(({ slot }) => slot)).size).toBe(3_000);
  for (const each of many) close(each);
  const again = readable();
  expect(again.slot).toBeLessThan(3_000);
  close(again);
  expect(reactor.size).toBe(0);
});

test("a descriptor that epoll does not take leaves no slot behind", () => {
  const one = readable();
  expect(() => reactor.add(one.fd, epollEvents.readable, { ready: () => true })).toThrow(
    "epoll_ctl",
  );
  const other = readable();
  expect(other.slot).toBe(one.slot + 1);
  close(one);
  close(other);
});
