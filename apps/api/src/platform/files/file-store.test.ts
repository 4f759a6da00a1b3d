import crypto from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFileStore, type FilesConfig, type FileStore } from "./file-store.ts";

/**
 * s3rver makes its tokens for the next page with DES, which OpenSSL no longer has. 3DES with the same
 * key three times is the same.
 */
function keepDes(): void {
  const { createCipheriv, createDecipheriv } = crypto;
  const tripled = (key: Buffer) => Buffer.concat([key, key, key]);
  vi.spyOn(crypto, "createCipheriv").mockImplementation(((name: string, key: Buffer, iv: Buffer) =>
    name === "des"
      ? createCipheriv("des-ede3-cbc", tripled(key), iv)
      : createCipheriv(name, key, iv)) as typeof createCipheriv);
  vi.spyOn(crypto, "createDecipheriv").mockImplementation(((
    name: string,
    key: Buffer,
    iv: Buffer,
  ) =>
    name === "des"
      ? createDecipheriv("des-ede3-cbc", tripled(key), iv)
      : createDecipheriv(name, key, iv)) as typeof createDecipheriv);
}

let folder: string;
let server: S3rver;
const configs = new Map<string, FilesConfig>();
beforeAll(async () => {
  keepDes();
  folder = await mkdtemp(path.join(tmpdir(), "palisade-file-store-"));
  server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: path.join(folder, "buckets"),
    configureBuckets: [{ name: "palisade", configs: [] }],
  });
  const { port } = await server.run();
  configs.set("disk", { kind: "disk", folder: path.join(folder, "files") });
  configs.set("s3", {
    kind: "s3",
    bucket: "palisade",
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
  });
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

function store(kind: string): FileStore {
  const config = configs.get(kind);
  if (config === undefined) throw new Error(`There is no store ${kind}`);
  return createFileStore(config);
}

async function keysOf(files: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of files.list("attachments")) keys.push(...page);
  return keys.toSorted();
}

describe.each(["disk", "s3"])("files on %s", (kind) => {
  test("are read back as they were written, listed in pages, and gone once removed", async () => {
    const files = store(kind);
    expect(await keysOf(files)).toEqual([]);
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    await files.put({ key: "attachments/2026-11-26/aa", bytes, contentType: "image/png" });
    await files.put({ key: "attachments/2026-11-27/bb", bytes, contentType: "text/plain" });
    await files.put({ key: "elsewhere/cc", bytes, contentType: "text/plain" });
    expect(await keysOf(files)).toEqual(["attachments/2026-11-26/aa", "attachments/2026-11-27/bb"]);
    expect((await buffer(await files.read("attachments/2026-11-26/aa"))).equals(bytes)).toBe(true);
    await files.remove("attachments/2026-11-26/aa");
    await files.remove("attachments/2026-11-26/aa");
    expect(await keysOf(files)).toEqual(["attachments/2026-11-27/bb"]);
    await expect(
      files.read("attachments/2026-11-26/aa").then((stream) => buffer(stream)),
    ).rejects.toBeInstanceOf(Error);
  });
});

test("a folder of files is for the api's user alone", async () => {
  const { mode } = await stat(path.join(folder, "files"));
  expect(mode & 0o777).toBe(0o700);
});

test("more files than a page of S3 has are all listed", async () => {
  const files = store("s3");
  const put = (n: number) =>
    files.put({
      key: `attachments/2026-01-01/${n}`,
      bytes: Buffer.from("x"),
      contentType: "text/plain",
    });
  // One after the other: the server fails where two calls make the same folder.
  for (let n = 0; n < 1_001; n += 1) await put(n);
  expect((await keysOf(files)).length).toBe(1_002);
});

test("a bucket that is not there, or a key that is not known, is an error", async () => {
  const config = configs.get("s3");
  if (config?.kind !== "s3") throw new Error("There is no S3");
  const file = { key: "attachments/x", bytes: Buffer.from("x"), contentType: "text/plain" };
  await expect(createFileStore({ ...config, bucket: "other" }).put(file)).rejects.toBeInstanceOf(
    Error,
  );
  await expect(
    createFileStore({ ...config, accessKeyId: "unknown" }).put(file),
  ).rejects.toBeInstanceOf(Error);
});
