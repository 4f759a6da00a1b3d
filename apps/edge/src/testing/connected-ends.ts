import { once } from "node:events";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { SocketAddresses } from "@palisade/sockets/socket-address";
import { acceptTcp, boundAddress, connectTcp, listenTcp } from "@palisade/sockets/tcp";

/** The sockets of a player and a backend, and the edge's end of each. */
export interface ConnectedEnds {
  readonly player: Socket;
  readonly backend: Socket;
  readonly playerFd: number;
  readonly backendFd: number;
}

const loopback = "127.0.0.1";

/** @param server listens on loopback for the backend's connection */
export async function connectEnds(server: Server): Promise<ConnectedEnds> {
  const listener = listenTcp({ ip: loopback, port: 0, backlog: 8 });
  const { port } = boundAddress(listener);
  const player = connect({ port, host: loopback, allowHalfOpen: true, noDelay: true });
  await once(player, "connect");
  const playerFd = acceptTcp(listener, new SocketAddresses());
  closeDescriptor(listener);
  const accepted = once(server, "connection");
  // The server's address is no pipe's name.
  const backendFd = connectTcp({ ip: loopback, port: (server.address() as AddressInfo).port });
  const [backend] = (await accepted) as [Socket];
  backend.setNoDelay(true);
  for (const socket of [player, backend]) socket.on("error", () => undefined);
  return { player, backend, playerFd, backendFd };
}
