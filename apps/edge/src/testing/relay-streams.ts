import { createHash, type Hash, randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { startTestBackend } from "./test-backend.ts";

/** A backend that says everything back, and ends when it has. */
export async function startEcho() {
  return startTestBackend({ onRaw: (socket) => socket.pipe(socket) });
}

export interface StreamRun {
  /** Target of the next stream. */
  readonly port: () => number;
  readonly streams: number;
  readonly atOnce: number;
  readonly bytesMax: number;
  /** Each stream waits for this half-way. */
  readonly halfway?: () => Promise<void>;
}

/**
 * Sends streams through an edge to an echo, in pieces of every size, and compares checksums. Every
 * second player ends their half once all is sent; the others wait for the last byte first.
 *
 * @returns streams that did not come back unchanged
 */
export async function runStreams(run: StreamRun): Promise<string[]> {
  const broken: string[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < run.streams) {
      const n = next++;
      const fault = await runStream(run, n % 2 === 0);
      if (fault !== undefined) broken.push(`stream ${n}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: run.atOnce }, lane));
  return broken;
}

async function runStream(
  { port, bytesMax, halfway }: StreamRun,
  halfCloses: boolean,
): Promise<string | undefined> {
  const pieces = piecesOf(Math.ceil(Math.random() * bytesMax));
  const total = pieces.reduce((sum, { length }) => sum + length, 0);
  const player = connect({ port: port(), host: "127.0.0.1", allowHalfOpen: true });
  const sent = createHash("sha1");
  const heard = createHash("sha1");
  const closed = Promise.withResolvers<string | undefined>();
  player.on("error", (error) => closed.resolve(error.message));
  let bytes = 0;
  player.on("data", (chunk: Buffer) => {
    heard.update(chunk);
    bytes += chunk.length;
    if (bytes === total && !halfCloses) player.end();
  });
  player.on("end", () => player.end());
  player.on("close", () => closed.resolve(undefined));
  const middle = Math.floor(pieces.length / 2);
  await say(player, pieces.slice(0, middle), sent);
  await halfway?.();
  await say(player, pieces.slice(middle), sent);
  if (halfCloses) player.end();
  const fault = await closed.promise;
  if (fault !== undefined) return fault;
  if (bytes !== total) return `${bytes} of ${total} bytes`;
  return sent.digest("hex") === heard.digest("hex") ? undefined : "other bytes";
}

async function say(player: Socket, pieces: readonly Buffer[], hash: Hash): Promise<void> {
  for (const piece of pieces) {
    hash.update(piece);
    player.write(piece);
    // Some pieces come together, others meet the edge while it dials or hands over.
    if (piece.length % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function piecesOf(bytes: number): Buffer[] {
  // Enough for the edge to begin with.
  const pieces: Buffer[] = [randomBytes(16), randomBytes(16)];
  for (let left = bytes; left > 0;) {
    const piece = randomBytes(Math.min(left, Math.ceil(Math.random() ** 3 * 20_000)));
    pieces.push(piece);
    left -= piece.length;
  }
  return pieces;
}
