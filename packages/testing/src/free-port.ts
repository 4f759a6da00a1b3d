import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port of loopback that nobody has just now, for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  return address.port;
}
