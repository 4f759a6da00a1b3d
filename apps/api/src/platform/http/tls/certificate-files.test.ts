import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Certificate } from "./certificate.ts";
import { readCertificateFiles, watchCertificateFiles } from "./certificate-files.ts";
import { selfSigned } from "./self-signed.ts";

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
let pairs: readonly [Certificate, Certificate];
beforeAll(async () => {
  folder = await createTemporaryFolder("certificate");
  const domain = "console.example.com";
  pairs = [await selfSigned(domain), await selfSigned(domain)];
});
afterAll(() => folder?.remove());

const files = () => ({
  certFile: path.join(folder.path, "cert.pem"),
  keyFile: path.join(folder.path, "key.pem"),
});

async function write({ cert, key }: Pick<Certificate, "cert" | "key">): Promise<void> {
  await writeFile(files().certFile, cert);
  await writeFile(files().keyFile, key);
}

test("a new pair of files is put to use once both are there", async () => {
  const [first, second] = pairs;
  await write(first);
  const applied: string[] = [];
  const silent = { info: () => undefined, warn: () => undefined };
  const look = watchCertificateFiles(files(), {
    first: await readCertificateFiles(files()),
    apply: ({ cert }) => applied.push(cert),
    log: silent,
  });
  await look();
  await write({ cert: second.cert, key: first.key });
  await look();
  expect(applied).toEqual([]);
  await write(second);
  await look();
  await look();
  expect(applied).toEqual([second.cert]);
});

test.each([
  ["the key of another certificate", () => ({ cert: pairs[0].cert, key: pairs[1].key })],
  ["no certificate", () => ({ cert: "hello", key: pairs[0].key })],
  ["no key", () => ({ cert: pairs[0].cert, key: "hello" })],
])("files with %s stop the start, and the error names the settings but no key", async (_, pair) => {
  await write(pair());
  const reading = readCertificateFiles(files());
  await expect(reading).rejects.toThrow(/^PALISADE_TLS_CERTIFICATE and PALISADE_TLS_KEY: /);
  await expect(reading).rejects.not.toThrow(/hello|PRIVATE/);
});
