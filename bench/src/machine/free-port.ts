import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A port of loopback that nobody had a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
