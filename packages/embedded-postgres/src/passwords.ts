import { randomBytes } from "node:crypto";
import { chown, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client, escapeIdentifier, escapeLiteral } from "pg";
import { OWNER_ROLE, RUNTIME_ROLE, socketUrl, type Passwords } from "./cluster.ts";
import type { Identity } from "./identity.ts";

/** In the cluster's root, which is ours even where the data folder is another user's. */
const passwordsFile = "passwords.json";
const asking = "local all all scram-sha-256\n";
const trusting = "local all all trust\n";
const reloadCapMs = 10_000;
const reloadPollMs = 10;
/** Good for a server that trusts. Without any, `pg` would look for one in files and variables. */
const wrongPassword = "none";
/** SQLSTATE of a wrong password, and of rules that let the role in by no way. */
const refusals = /^28/;

/** The passwords of this cluster's roles, made at its first start. */
export async function loadPasswords(root: string): Promise<Passwords> {
  const file = path.join(root, passwordsFile);
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return parsePasswords(known, file);
  const password = (): string => randomBytes(32).toString("base64url");
  const made: Passwords = { [OWNER_ROLE]: password(), [RUNTIME_ROLE]: password() };
  const fresh = `${file}.fresh`;
  await writeFile(fresh, `${JSON.stringify(made)}\n`, { mode: 0o600, flush: true });
  await rename(fresh, file);
  return made;
}

function parsePasswords(text: string, file: string): Passwords {
  const content: unknown = JSON.parse(text);
  const passwordOf = (role: string): string => {
    const found: unknown = Reflect.get(Object(content), role);
    if (typeof found === "string" && found !== "") return found;
    throw new Error(`${file} has no password of ${role}: delete the file, and new ones are made`);
  };
  return { [OWNER_ROLE]: passwordOf(OWNER_ROLE), [RUNTIME_ROLE]: passwordOf(RUNTIME_ROLE) };
}

export interface AskedServer {
  readonly dataFolder: string;
  readonly socketFolder: string;
  readonly identity: Identity | undefined;
  readonly passwords: Passwords;
  /** Makes the server read its rules anew. */
  readonly reload: () => void;
}

/**
 * Makes the running server ask for the passwords. A cluster that does not yet (a new one, or one that
 * an earlier release made) and one whose file of passwords was lost trust its private socket for the
 * moments in which the roles get theirs.
 */
export async function requirePasswords(server: AskedServer): Promise<void> {
  const rules = path.join(server.dataFolder, "pg_hba.conf");
  const isAsking = (await readFile(rules, "utf8")) === asking;
  if (isAsking && (await refusalOf(ownerUrl(server, server.passwords[OWNER_ROLE]))) === undefined)
    return;
  await writeRules(rules, trusting, server);
  await untilReloaded(async () => (await refusalOf(ownerUrl(server, wrongPassword))) === undefined);
  await setPasswords(server);
  await writeRules(rules, asking, server);
  await untilReloaded(async () => (await refusalOf(ownerUrl(server, wrongPassword))) !== undefined);
}

async function setPasswords(server: AskedServer): Promise<void> {
  const client = new Client({ connectionString: ownerUrl(server, wrongPassword) });
  await client.connect();
  try {
    // A statement that fails is logged as it was written, passwords and all.
    await client.query("SET log_min_error_statement = panic");
    for (const [role, password] of Object.entries(server.passwords)) {
      const known = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
      if (known.rowCount === 0) {
        await client.query(
          `CREATE ROLE ${escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`,
        );
      }
      await client.query(
        `ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(password)}`,
      );
    }
  } finally {
    await client.end();
  }
}

/** Replaced at once: a server does not start with half a file of rules. */
async function writeRules(
  file: string,
  content: string,
  { identity, reload }: AskedServer,
): Promise<void> {
  const fresh = `${file}.fresh`;
  await writeFile(fresh, content, { mode: 0o600, flush: true });
  if (identity !== undefined) await chown(fresh, identity.uid, identity.gid);
  await rename(fresh, file);
  reload();
}

async function untilReloaded(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + reloadCapMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error("PostgreSQL does not read its new access rules");
    await delay(reloadPollMs);
  }
}

function ownerUrl(server: AskedServer, password: string): string {
  return socketUrl(server.socketFolder, OWNER_ROLE, "postgres", password);
}

/**
 * How the server refuses the role; undefined when it lets it in.
 *
 * @throws when the server does not answer
 */
export async function refusalOf(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that ends now breaks the connection after it was made.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT");
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (refusals.test(code)) return code;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
