import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createTestFolder } from "@palisade/control-client/testing/recorder";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mmdbOf } from "@palisade/testing/mmdb";
import { download } from "./download.ts";
import { unpack } from "./unpack.ts";
import { updateLists } from "./update-lists.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const answers = new Map<string, Answer>();
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  const answer = answers.get(request.url ?? "");
  if (answer === undefined) response.writeHead(404).end("no such list, 192.0.2.1");
  else answer(request, response);
});
let origin: string;
let folder: string;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A TCP server's address is not a pipe's name.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(async () => {
  const made = await createTestFolder();
  folder = join(made.path, "home", "vpn");
  answers.clear();
  asked.length = 0;
  return async () => made[Symbol.asyncDispose]();
});

/** Output of the command for a list that is fetched from this path. */
async function update(file: string, path = "/list", force = false): Promise<string> {
  const said: string[] = [];
  const sources = [{ file, url: `${origin}${path}` }];
  const isWell = await updateLists({ folder, sources, force, say: (line) => said.push(line) });
  expect(isWell).toBe(!said.join().includes("not updated"));
  return said.join("\n");
}

function serve(body: string | Buffer, path = "/list"): void {
  answers.set(path, (_request, response) => response.end(body));
}

function kept(file: string): Promise<Buffer> {
  return readFile(join(folder, file));
}

const short = "192.0.2.1\n".repeat(70);
const long = Array.from({ length: 200 }, (_, n) => `192.0.2.${n}\n`).join("");
const mmdb = mmdbOf([["192.0.2.0/24", { autonomous_system_number: 64_496 }]]);

/** As `tar` makes it: a header of 512 bytes and the content, filled up to the next 512. */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, "0"), 124);
  header.write("0", 156);
  header.write("ustar\0", 257);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

test("an archive with a size below nothing is damaged", () => {
  const archive = tarOf("README.txt", Buffer.from("x"));
  archive.write("-0000001000", 124);
  expect(() => unpack(gzipSync(archive), 1 << 20)).toThrow("the archive is damaged");
});

describe("an update", () => {
  test("puts a list into the folder, and asks for it again only where there is a newer one", async () => {
    answers.set("/list", (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? "" : long);
    });
    expect(await update("hosting.txt")).toBe("hosting.txt: 200 entries (before: 0)");
    expect((await kept("hosting.txt")).toString()).toBe(long);
    expect(await update("hosting.txt")).toBe("hosting.txt: unchanged");
    // A file that was damaged or altered here, and another place, are another list.
    await appendFile(join(folder, "hosting.txt"), "oops");
    expect(await update("hosting.txt")).toBe("hosting.txt: 200 entries (before: 200)");
    await writeFile(join(folder, "hosting.txt"), long.slice(0, long.indexOf("\n") + 1));
    expect(await update("hosting.txt")).toBe("hosting.txt: 200 entries (before: 1)");
    serve(long, "/other");
    expect(await update("hosting.txt", "/other")).toBe("hosting.txt: 200 entries (before: 200)");
    const validators = asked.map(({ headers }) => headers["if-none-match"]);
    expect(validators).toEqual([undefined, '"1"', undefined, undefined, undefined]);
    expect((await readdir(folder)).toSorted()).toEqual([".downloads.json", "hosting.txt"]);
  });

  test("takes MaxMind-format files as they are, and as MaxMind packs them", async () => {
    serve(mmdb);
    expect(await update("asn.mmdb")).toContain("1 entries");
    serve(gzipSync(mmdb));
    expect(await update("zipped.mmdb")).toContain("1 entries");
    const readme = tarOf("GeoLite2-ASN_20261120/README.txt", Buffer.from("hello"));
    const archive = Buffer.concat([readme, tarOf("GeoLite2-ASN_20261120/GeoLite2-ASN.mmdb", mmdb)]);
    serve(gzipSync(Buffer.concat([archive, Buffer.alloc(1_024)])));
    expect(await update("packed.mmdb")).toContain("1 entries");
    for (const file of ["asn.mmdb", "zipped.mmdb", "packed.mmdb"]) {
      expect((await kept(file)).equals(mmdb), file).toBe(true);
    }
    serve(gzipSync(readme));
    expect(await update("packed.mmdb")).toContain("not updated, the archive holds no .mmdb file");
    serve(gzipSync(mmdb).subarray(0, -20));
    expect(await update("packed.mmdb")).toContain("not updated");
    expect((await kept("packed.mmdb")).equals(mmdb)).toBe(true);
  });

  test("leaves the file as it is where what came is no list, or much less than there was", async () => {
    serve(long);
    await update("a.txt");
    serve("<html>maintenance</html>");
    expect(await update("a.txt")).toContain("not updated, line 1: ");
    serve(`${long}oops\n`);
    expect(await update("a.txt")).toContain("not updated, line 201: ");
    serve("# empty\n");
    expect(await update("a.txt")).toContain("not updated, it has no entries");
    serve(short);
    expect(await update("a.txt")).toContain("not updated, it has 70 entries where there were 200");
    answers.clear();
    expect(await update("a.txt")).toContain("not updated, the server answered 404");
    expect((await kept("a.txt")).toString()).toBe(long);
    serve(short);
    expect(await update("a.txt", "/list", true)).toContain("(before: 200)");
  });

  test("goes on with the next list where one fails, and tells no URL, for there may be a key in it", async () => {
    serve(long, "/good?key=secret");
    const said: string[] = [];
    const sources = ["/bad?key=secret", "/good?key=secret"].map((path, n) => {
      return { file: `${n}.txt`, url: origin.replace("//", "//account:secret@") + path };
    });
    const say = (line: string): void => void said.push(line);
    expect(await updateLists({ folder, sources, force: false, say })).toBe(false);
    expect(said).toEqual([
      "0.txt: not updated, the server answered 404",
      "1.txt: 200 entries (before: 0)",
    ]);
    const basic = `Basic ${Buffer.from("account:secret").toString("base64")}`;
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([basic, basic]);
    expect((await kept(".downloads.json")).toString()).not.toContain("secret");
  });

  test("without sources says what to set", async () => {
    const main = fileURLToPath(new URL("update-main.ts", import.meta.url));
    const env = { ...process.env, PALISADE_HOME: folder, PALISADE_VPN_SOURCES: "" };
    const { code, text } = await new Promise<{ code: unknown; text: string }>((resolve) => {
      execFile(process.execPath, [main], { env }, (error, text) =>
        resolve({ code: error?.code, text }),
      );
    });
    expect(text).toContain("PALISADE_VPN_SOURCES=");
    expect(code).toBe(1);
  });
});

describe("a download", () => {
  test("has a bound to its size and to its time", async () => {
    serve(Buffer.alloc(70_000));
    await expect(download(`${origin}/list`, {}, 65_536)).rejects.toThrow(
      /^it is larger than 65536/,
    );
    answers.set("/slow", (_request, response) => response.write("192.0.2.1\n"));
    await expect(download(`${origin}/slow`, {}, 65_536, 200)).rejects.toThrow(
      /takes too long|broke off/,
    );
    await expect(download("http://127.0.0.1:9/", {})).rejects.toThrow(
      /^the server cannot be reached/,
    );
  });

  test("follows redirects, but to no other place without encryption, and not for ever", async () => {
    const redirect = (path: string, to: string) =>
      answers.set(path, (_request, response) => response.writeHead(302, { location: to }).end());
    serve("192.0.2.1\n");
    redirect("/moved", "/list");
    const found = await download(`${origin}/moved`, {});
    expect(found).toMatchObject({ kind: "new", bytes: Buffer.from("192.0.2.1\n") });
    redirect("/away", "http://192.0.2.1/list");
    await expect(download(`${origin}/away`, {})).rejects.toThrow("without encryption");
    redirect("/round", "/round");
    await expect(download(`${origin}/round`, {})).rejects.toThrow("more than 5 redirects");
  });
});
