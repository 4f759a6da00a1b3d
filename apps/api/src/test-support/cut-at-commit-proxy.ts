import { once } from "node:events";
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Socket,
} from "node:net";
import path from "node:path";

/** The moment of the cut: before PostgreSQL gets the COMMIT, or before its answer reaches the api. */
export type Cut = "before commit" | "after commit";

export interface CutAtCommitProxy {
  /** The database through the proxy. */
  readonly databaseUrl: string;
  /** Cuts the connection of the next transaction that posts to the ledger, once. */
  arm(cut: Cut): void;
  /** Cuts that happened. */
  readonly cuts: number;
  close(): Promise<void>;
}

/** Each statement of a transaction is awaited, so that it arrives in a packet of its own. */
const postsToLedger = Buffer.from('insert into "ledger_txns"');
const commits = Buffer.from("commit\0");

/** A proxy before PostgreSQL that cuts connections at the COMMIT of a purchase. */
export async function startCutAtCommitProxy(databaseUrl: string): Promise<CutAtCommitProxy> {
  let armed: Cut | undefined;
  let cuts = 0;
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(upstreamOf(databaseUrl));
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", end);
      socket.on("close", () => sockets.delete(socket));
    }
    let isPosting = false;
    let awaited: Cut | undefined;
    client.on("data", (chunk: Buffer) => {
      if (chunk.includes(postsToLedger)) isPosting = true;
      if (isPosting && chunk.includes(commits)) {
        isPosting = false;
        awaited = armed;
        armed = undefined;
      }
      if (awaited !== undefined) cuts += 1;
      if (awaited === "before commit") end();
      else upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      // The answer is here, so the commit has happened; the api does not learn of it.
      if (awaited === "after commit") end();
      else client.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a TCP server is an object, not the name of a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    databaseUrl: proxied(databaseUrl, port),
    arm: (cut) => {
      armed = cut;
    },
    get cuts() {
      return cuts;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The embedded PostgreSQL listens on a socket in a folder only, which the URL names as `host`. */
function upstreamOf(databaseUrl: string): NetConnectOpts {
  const url = new URL(databaseUrl);
  const port = url.port === "" ? "5432" : url.port;
  const folder = url.searchParams.get("host");
  return folder?.startsWith("/") === true
    ? { path: path.join(folder, `.s.PGSQL.${url.searchParams.get("port") ?? port}`) }
    : { host: url.hostname, port: Number(port) };
}

function proxied(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  url.searchParams.delete("host");
  url.searchParams.delete("port");
  return url.href;
}
