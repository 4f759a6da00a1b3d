import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the range from which the system assigns any free port: a port that is free here stays free
 * until the test uses it, whatever else runs on the machine.
 */
const range = { from: 10_240, to: 25_000 } as const;

/** A free TCP port of loopback, for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.to);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
