import type { NativeMemory } from "./native-memory.ts";

/** Offsets in struct msghdr (recvmsg(2)), the same for glibc and musl on 64-bit little-endian. */
export const messageHeader = {
  name: 0,
  nameLength: 8,
  vector: 16,
  vectorLength: 24,
  control: 32,
  controlLength: 40,
  flags: 48,
  bytes: 56,
} as const;

/** struct mmsghdr (recvmmsg(2)): a msghdr and the length of its message. */
export const batchEntry = { length: 56, bytes: 64 } as const;

const controlHeaderBytes = 16;
const socketLevel = 1;
const rights = 1;
const descriptorBytes = 4;

const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** struct cmsghdr with its data (cmsg(3)). */
export const controlMessage = {
  headerBytes: controlHeaderBytes,

  /** Room for one message with that many descriptors. */
  space(descriptors: number): number {
    return controlHeaderBytes + aligned(descriptors * descriptorBytes);
  },

  /** @returns the bytes that were written; 0 without descriptors */
  writeRights(memory: NativeMemory, descriptors: readonly number[]): number {
    if (descriptors.length === 0) return 0;
    memory.setUint64(0, controlHeaderBytes + descriptors.length * descriptorBytes);
    memory.view.setInt32(8, socketLevel, true);
    memory.view.setInt32(12, rights, true);
    descriptors.forEach((fd, index) => {
      memory.view.setInt32(controlHeaderBytes + index * descriptorBytes, fd, true);
    });
    return controlMessage.space(descriptors.length);
  },

  /** The descriptors in `length` bytes of control messages. */
  readRights(memory: NativeMemory, length: number): number[] {
    const found: number[] = [];
    let at = 0;
    while (at + controlHeaderBytes <= length) {
      const messageBytes = memory.view.getUint32(at, true);
      if (messageBytes < controlHeaderBytes || at + messageBytes > length) break;
      const isRights =
        memory.view.getInt32(at + 8, true) === socketLevel &&
        memory.view.getInt32(at + 12, true) === rights;
      const count = isRights
        ? Math.floor((messageBytes - controlHeaderBytes) / descriptorBytes)
        : 0;
      for (let index = 0; index < count; index += 1) {
        const offset = at + controlHeaderBytes + index * descriptorBytes;
        found.push(memory.view.getInt32(offset, true));
      }
      at += aligned(messageBytes);
    }
    return found;
  },
};
