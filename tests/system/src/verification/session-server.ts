import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "@palisade/testing/free-port";
import { z } from "zod";
import type { Account } from "../minecraft/peer-host.ts";
import type { HostPort } from "../product/palisade.ts";

/**
 * What Mojang's session server does, for accounts of the test: a client says that it joins
 * somewhere, by the hash of the secrets agreed upon there; a server that asks with the same hash
 * and player hears that they have joined. Source: minecraft.wiki, "Java Edition protocol/Encryption".
 */
export interface SessionServer {
  readonly url: string;
  readonly port: number;
  /** @param name of the player */
  account(name: string): Account;
  /** Questions of servers, by the player's name. */
  readonly asked: readonly string[];
  /** From now on it answers servers, says nothing to them, or has gone. */
  be(state: "well" | "silent" | "gone"): Promise<void>;
  end(): Promise<void>;
}

const joinBody = z.object({
  accessToken: z.string(),
  selectedProfile: z.string(),
  serverId: z.string(),
});

/** @param at where it listens, by default on a free port of loopback */
export async function startSessionServer(at?: HostPort): Promise<SessionServer> {
  const { host, port } = at ?? { host: "127.0.0.1", port: await freePort() };
  const url = `http://${host}:${port}`;
  const names = new Map<string, string>();
  const accounts = new Map<string, Account>();
  /** Hashes of joins, by the account's id: one game may be joining at several places. */
  const joins = new Map<string, Set<string>>();
  const asked: string[] = [];
  let isSilent = false;

  async function join(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    // A request's chunks are bytes as long as no encoding is set.
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { accessToken, selectedProfile, serverId } = joinBody.parse(
      JSON.parse(Buffer.concat(chunks).toString("utf8")),
    );
    const isOwner = accounts.get(selectedProfile)?.token === accessToken;
    if (isOwner) joins.get(selectedProfile)?.add(serverId);
    response.writeHead(isOwner ? 204 : 403).end();
  }

  function hasJoined({ searchParams }: URL, response: ServerResponse): void {
    const name = searchParams.get("username") ?? "";
    asked.push(name);
    if (isSilent) return;
    const id = names.get(name.toLowerCase());
    const hasJoinedThere = id && joins.get(id)?.has(searchParams.get("serverId") ?? "");
    if (hasJoinedThere !== true) return void response.writeHead(204).end();
    response.end(JSON.stringify({ id, name, properties: [] }));
  }

  const server = createServer((request, response) => {
    const question = new URL(request.url ?? "/", url);
    if (question.pathname === "/session/minecraft/hasJoined") hasJoined(question, response);
    else if (question.pathname === "/session/minecraft/join") void join(request, response);
    else response.writeHead(404).end();
  });

  async function open(): Promise<void> {
    if (!server.listening) await once(server.listen(port, host), "listening");
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  await open();
  return {
    url,
    port,
    asked,
    account(name) {
      const id = randomUUID().replaceAll("-", "");
      const account = { id, token: randomUUID(), sessionServer: url };
      names.set(name.toLowerCase(), id);
      accounts.set(id, account);
      joins.set(id, new Set());
      return account;
    },
    async be(state) {
      isSilent = state === "silent";
      await (state === "gone" ? close() : open());
    },
    end: close,
  };
}

/** The key with which games of 1.19 to 1.19.2 sign chat, as PEM. */
export function createProfileKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
