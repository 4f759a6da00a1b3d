import { libc } from "./libc.ts";
import { NativeMemory } from "./native-memory.ts";

/** The numbers of sched_setattr(2) and sched_getattr(2), for which older C libraries have no function. */
const systemCalls = process.arch === "arm64" ? { set: 274, get: 275 } : { set: 314, get: 315 };
/** `struct sched_attr` in its first version: size, policy, flags, nice, priority, runtime, ... */
const attributes = { bytes: 48, runtime: 24 };
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
