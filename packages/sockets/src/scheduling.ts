import { getPriority } from "node:os";
import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";

/** The numbers of sched_setattr(2) and sched_getattr(2), for which older C libraries have no function. */
const systemCalls = process.arch === "arm64" ? { set: 274, get: 275 } : { set: 314, get: 315 };
/** `struct sched_attr` in its first version: size, policy, flags, nice, priority, runtime, ... */
const attributes = { bytes: 48, policy: 4, flags: 8, nice: 16, priority: 20, runtime: 24 };
/** As in sched.h. With the flag, children and new threads start with the usual policy. */
const policies = { usual: 0, roundRobin: 2 } as const;
const resetOnFork = 1;
const callingThread = 0;
const nanosecondsOfMs = 1e6;

/**
 * Asks the kernel for turns of this length for the calling thread; its priority and its share of the
 * processor stay. When a thread is woken that asks for a short turn, the kernel may let it interrupt
 * one with a longer turn.
 *
 * Needs no privilege. Linux before 6.12 ignores it.
 *
 * @param ms from 0.1 to 100; others are moved to the nearest of these
 * @returns the length that the thread has now, 0 if the kernel does not tell
 */
export function setTimeSlice(ms: number): number {
  const memory = new NativeMemory(attributes.bytes);
  try {
    if (!read(memory)) return 0;
    memory.setUint64(attributes.runtime, Math.round(ms * nanosecondsOfMs));
    libc.syscall(systemCalls.set, callingThread, memory.address, 0, 0);
    return read(memory)
      ? Number(memory.view.getBigUint64(attributes.runtime, true)) / nanosecondsOfMs
      : 0;
  } finally {
    memory.free();
  }
}

function read(memory: NativeMemory): boolean {
  return libc.syscall(systemCalls.get, callingThread, memory.address, attributes.bytes, 0) === 0;
}

/**
 * Whether the calling thread goes before all threads of the usual policy, whatever their niceness, as
 * soon as it has something to do. (Real-time policy round robin, lowest priority: sched(7).)
 *
 * Needs CAP_SYS_NICE or RLIMIT_RTPRIO of at least 1. Going back needs nothing, keeps the niceness and
 * ends a time slice that was set.
 *
 * @returns false if it is not permitted: then the policy stays
 */
export function setRealTime(isRealTime: boolean): boolean {
  const memory = new NativeMemory(attributes.bytes);
  try {
    memory.view.setUint32(0, attributes.bytes, true);
    memory.view.setUint32(
      attributes.policy,
      isRealTime ? policies.roundRobin : policies.usual,
      true,
    );
    memory.view.setUint32(attributes.flags, resetOnFork, true);
    if (isRealTime) memory.view.setUint32(attributes.priority, 1, true);
    else memory.view.setInt32(attributes.nice, getPriority(), true);
    return libc.syscall(systemCalls.set, callingThread, memory.address, 0, 0) === 0;
  } finally {
    memory.free();
  }
}
