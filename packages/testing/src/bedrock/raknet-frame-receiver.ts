import type { Frame } from "./raknet-datagrams.ts";

/** A message that claims more parts is an error of the sender. */
const partsMax = 16_384;

interface Assembly {
  readonly parts: (Buffer | undefined)[];
  left: number;
}

/** Makes messages of frames: drops repeated ones, joins parts, and restores the order of a channel. */
export class FrameReceiver {
  readonly #deliver: (body: Buffer) => void;
  /** Below it, every reliable frame has come. */
  #base = 0;
  readonly #beyondBase = new Set<number>();
  readonly #assemblies = new Map<number, Assembly>();
  readonly #channels = new Map<number, { next: number; readonly held: Map<number, Buffer> }>();

  constructor(deliver: (body: Buffer) => void) {
    this.#deliver = deliver;
  }

  /** @returns false where the frame had come before */
  receive(frame: Frame): boolean {
    if (frame.messageIndex !== undefined && !this.#isNew(frame.messageIndex)) return false;
    const body = frame.part === undefined ? frame.body : this.#assemble(frame);
    if (body === undefined) return true;
    if (frame.orderIndex === undefined || frame.messageIndex === undefined) this.#deliver(body);
    else this.#inOrder(frame.channel ?? 0, frame.orderIndex, body);
    return true;
  }

  #isNew(index: number): boolean {
    if (index < this.#base || this.#beyondBase.has(index)) return false;
    this.#beyondBase.add(index);
    while (this.#beyondBase.delete(this.#base)) this.#base += 1;
    return true;
  }

  #assemble({ part, body }: Frame): Buffer | undefined {
    if (part === undefined) return body;
    const { id, count, index } = part;
    if (count > partsMax || index >= count) throw new Error(`part ${index} of ${count}`);
    let assembly = this.#assemblies.get(id);
    if (assembly === undefined) {
      assembly = { parts: Array.from({ length: count }), left: count };
      this.#assemblies.set(id, assembly);
    }
    if (assembly.parts[index] === undefined) assembly.left -= 1;
    assembly.parts[index] = body;
    if (assembly.left > 0) return undefined;
    this.#assemblies.delete(id);
    return Buffer.concat(assembly.parts.filter((part) => part !== undefined));
  }

  #inOrder(number: number, index: number, body: Buffer): void {
    let channel = this.#channels.get(number);
    if (channel === undefined) {
      channel = { next: 0, held: new Map() };
      this.#channels.set(number, channel);
    }
    if (index < channel.next) return;
    channel.held.set(index, body);
    for (;;) {
      const next = channel.held.get(channel.next);
      if (next === undefined) return;
      channel.held.delete(channel.next);
      channel.next += 1;
      this.#deliver(next);
    }
  }
}
