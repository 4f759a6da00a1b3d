import { libc, viewMemory } from "./libc.ts";
import { succeeded } from "./errno.ts";

const readWrite = 0x3;
const privateAnonymous = 0x22;
const pageBytes = 4_096;

/**
 * Memory outside of V8's heap (mmap(2)). It never moves and is never collected, so the kernel may
 * keep its address for as long as a call runs. It lives until `free`, or as long as the process:
 * allocate it once, for buffers and structures that are used again and again.
 */
export class NativeMemory {
  readonly address: number;
  readonly bytes: Buffer;
  readonly view: DataView;

  /** @param length in bytes. @throws SystemCallError `ENOMEM` */
  constructor(length: number) {
    const whole = Math.ceil(length / pageBytes) * pageBytes;
    const address = libc.mmap(0, whole, readWrite, privateAnonymous, -1, 0);
    if (address === -1) succeeded("mmap", -libc.errno());
    this.address = address;
    this.bytes = Buffer.from(viewMemory(address, whole), 0, length);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, length);
  }

  /** munmap(2). Nothing may touch the memory afterwards: the process would end. */
  free(): void {
    libc.munmap(this.address, Math.ceil(this.bytes.length / pageBytes) * pageBytes);
  }

  /** Writes an address of native memory into a structure. */
  setPointer(offset: number, address: number): void {
    this.setUint64(offset, address);
  }

  /** Writes a size or an address below 2^53. */
  setUint64(offset: number, value: number): void {
    this.view.setUint32(offset, value >>> 0, true);
    this.view.setUint32(offset + 4, Math.floor(value / 2 ** 32), true);
  }
}
