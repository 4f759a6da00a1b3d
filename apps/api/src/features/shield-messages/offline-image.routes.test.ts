import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { configSchemaVersion, shieldConfig } from "@palisade/contract/edge/shield-config";
import { routes } from "@palisade/contract/http/routes";
import { mountedPath } from "@palisade/contract/http/route";
import { PNG } from "pngjs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "#src/test-support/test-app.ts";
import { createShield, enrolEdge } from "#src/test-support/test-shields.ts";
import { call, createStaff, createUser, type TestUser } from "#src/test-support/test-users.ts";

let testApp: TestApp;
let owner: TestUser;
let shieldId: string;

beforeAll(async () => {
  testApp = await createTestApp();
  await enrolEdge(testApp, await createStaff(testApp), { name: "one" });
  owner = await createUser(testApp);
  shieldId = (await createShield(testApp, owner)).id;
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.platform.db.updateTable("shield_messages").set({ offline_image: null }).execute();
});

const { updateServerMessages, getServerMessages, getServerImage } = routes.serverMessages;

function update(body: unknown) {
  const params = { id: shieldId };
  return call(testApp, updateServerMessages, { token: owner.token, params, body });
}

type Part = readonly [name: string, value: string | Buffer, file?: { readonly type: string }];

function formOf(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(([name, value, file]) => {
    const about = file ? `; filename="icon.png"\r\ncontent-type: ${file.type}` : "";
    const head = `--edge\r\ncontent-disposition: form-data; name="${name}"${about}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from("\r\n")];
  });
  return Buffer.concat([...pieces, Buffer.from("--edge--\r\n")]);
}

function sendForm(payload: Buffer | string, headers: Record<string, string> = {}) {
  return testApp.app.inject({
    method: "POST",
    url: mountedPath(updateServerMessages).replace(":id", shieldId),
    headers: {
      authorization: `Bearer ${owner.token}`,
      "content-type": "multipart/form-data; boundary=edge",
      ...headers,
    },
    payload,
  });
}

async function stored(): Promise<Buffer | null> {
  const { offline } = getServerMessages.response.parse(
    (
      await call(testApp, getServerMessages, { token: owner.token, params: { id: shieldId } })
    ).json(),
  );
  return offline.offline_image === null ? null : bytesOf(offline.offline_image);
}

const bytesOf = (dataUri: string) => Buffer.from(dataUri.replace(/^.*,/, ""), "base64");
const uriOf = (bytes: Buffer, type = "image/png") =>
  `data:${type};base64,${bytes.toString("base64")}`;

function chunk(type: string, data: Buffer, length = data.length): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  const body = Buffer.concat([Buffer.from(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}

const signature = Buffer.from("89504e470d0a1a0a", "hex");

function png(width: number, height: number, packed: Buffer, interlaced = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, interlaced], 8);
  const end = chunk("IEND", Buffer.alloc(0));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", packed), end]);
}

function picture(paint: (at: number) => number): PNG {
  const image = new PNG({ width: 64, height: 64 });
  for (let at = 0; at < image.data.length; at++) image.data[at] = paint(at);
  return image;
}

const opaque = picture((at) => (at % 4 === 3 ? 255 : (at * 7) % 256));

describe("the offline image", () => {
  test("is kept by its pixels alone and reaches edges; metadata is dropped", async () => {
    const plain = PNG.sync.write(opaque);
    const end = plain.length - 12;
    const secret = "tEXt of a camera";
    const given = Buffer.concat([
      plain.subarray(0, end),
      chunk("tEXt", Buffer.from(`Comment\0${secret}`)),
      plain.subarray(end),
    ]);
    const answer = await update({ offline: { offline_image: uriOf(given) } });
    expect(answer.statusCode, answer.body).toBe(200);
    const kept = await stored();
    expect(kept?.includes(secret)).toBe(false);
    expect(PNG.sync.read(kept ?? Buffer.alloc(0)).data.equals(opaque.data)).toBe(true);

    const { config } = await testApp.platform.db
      .selectFrom("shield_configs")
      .select("config")
      .where("schema", "=", configSchemaVersion)
      .where("shield_id", "=", shieldId)
      .executeTakeFirstOrThrow();
    expect(shieldConfig.parse(JSON.parse(config)).offline_icon).toBe(uriOf(kept ?? given));
    const list = await call(testApp, routes.servers.listServers, { token: owner.token });
    const image = await testApp.app.inject({
      url: list.json().data[0].img,
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect(image.json()).toEqual({ image: uriOf(kept ?? given) });
  });

  test("stays where it is left out, goes with null, and is then 404", async () => {
    await update({ offline: { offline_image: uriOf(PNG.sync.write(opaque)) } });
    await update({ offline: { motd_line1: "x" } });
    expect(await stored()).not.toBeNull();
    await update({ offline: { offline_image: null } });
    expect(await stored()).toBeNull();
    const image = await call(testApp, getServerImage, {
      token: owner.token,
      params: { id: shieldId },
    });
    expect(image.statusCode).toBe(404);
  });

  test("see-through and interlaced pictures and such of few colours are taken", async () => {
    const soft = picture((at) => (at % 4 === 3 ? at % 256 : 90));
    const interlaced = png(64, 64, deflateSync(Buffer.alloc(64 * 64 * 4 + 120)), 1);
    for (const given of [PNG.sync.write(soft), interlaced]) {
      expect((await update({ offline: { offline_image: uriOf(given) } })).statusCode).toBe(200);
    }
  });

  const polyglot = Buffer.from("<script>alert(1)</script>");
  const random = Buffer.alloc(64 * 64 * 4);
  for (let at = 0; at < random.length; at += 32) {
    createHash("sha256").update(String(at)).digest().copy(random, at);
  }
  const noise = picture((at) => random[at] ?? 0);
  const bomb = deflateSync(Buffer.alloc(40_000_000));
  const hostile: [string, string, string][] = [
    ["an SVG", uriOf(Buffer.from("<svg onload='alert(1)'/>"), "image/svg+xml"), "image.invalid"],
    ["HTML said to be a PNG", uriOf(Buffer.from("<html>".repeat(20))), "image.invalid"],
    ["a GIF", uriOf(Buffer.from(`GIF89a${"\0".repeat(60)}`)), "image.invalid"],
    [
      "a page behind a picture",
      uriOf(Buffer.concat([PNG.sync.write(opaque), polyglot])),
      "image.invalid",
    ],
    ["an address instead of data", "https://evil.example/x.png", "image.invalid"],
    ["no base64", "data:image/png;base64,%%%", "image.invalid"],
    ["40 MB in 39 KB", uriOf(png(64, 64, bomb)), "image.invalid"],
    ["the same, interlaced", uriOf(png(64, 64, bomb, 1)), "image.invalid"],
    [
      "30000x30000 in its header",
      uriOf(png(30_000, 30_000, deflateSync(Buffer.alloc(9)))),
      "image.size",
    ],
    ["another size", uriOf(PNG.sync.write(new PNG({ width: 65, height: 64 }))), "image.size"],
    ["too few pixels", uriOf(png(64, 64, deflateSync(Buffer.alloc(64)))), "image.invalid"],
    ["no pixels", uriOf(png(64, 64, Buffer.alloc(0))), "image.invalid"],
    ["half a file", uriOf(PNG.sync.write(opaque).subarray(0, 60)), "image.invalid"],
    [
      "a chunk longer than the file",
      uriOf(
        Buffer.concat([
          PNG.sync.write(opaque).subarray(0, 33),
          chunk("IDAT", Buffer.alloc(8), 0xff_ff_ff_ff),
        ]),
      ),
      "image.invalid",
    ],
    [
      "a file of 65 KB",
      uriOf(Buffer.concat([PNG.sync.write(opaque), Buffer.alloc(65_536)])),
      "image.too_large",
    ],
    ["what takes more than 16 KB", uriOf(PNG.sync.write(noise)), "image.too_detailed"],
  ];

  test.each(hostile)("%s is refused at its field and nothing is kept", async (_, given, code) => {
    const answer = await update({ offline: { offline_image: given } });
    expect([answer.statusCode, answer.json().issues], answer.body).toMatchObject([
      422,
      [{ path: "offline.offline_image", code }],
    ]);
    expect(await stored()).toBeNull();
  });
});

describe("as a form", () => {
  const file: Part = ["offline[offline_image]", PNG.sync.write(opaque), { type: "text/html" }];

  test("bracketed names and a file do what the same JSON does", async () => {
    const answer = await sendForm(
      formOf([["offline[motd_line1]", "§aПривет"], file, ["firewall[blacklist_msg]", "a\r\nb"]]),
    );
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().messages).toMatchObject({
      offline: { motd_line1: "§aПривет" },
      firewall: { blacklist_msg: "a\nb" },
    });
    expect(await stored()).not.toBeNull();
    await sendForm(formOf([["offline[motd_line2]", "two"]]));
    expect(await stored()).not.toBeNull();
    for (const nothing of ["", "null"]) {
      await sendForm(formOf([file]));
      await sendForm(formOf([["offline[offline_image]", nothing]]));
      expect(await stored()).toBeNull();
    }
  });

  test("says at the field what is wrong with it", async () => {
    const answer = await sendForm(formOf([["offline[motd_line1]", "x".repeat(513)]]));
    expect([answer.statusCode, answer.json().issues[0].path]).toEqual([422, "offline.motd_line1"]);
  });

  test("too much of anything is 413: a file, a second one, fields, the whole", async () => {
    const large: Part = ["offline[offline_image]", Buffer.alloc(70_000), { type: "image/png" }];
    const fields = Array.from({ length: 65 }, (_, index): Part => [`general[a${index}]`, ""]);
    for (const parts of [
      [large],
      [file, file],
      fields,
      [["general[forge_msg]", "x".repeat(20_000)] as Part],
    ]) {
      const answer = await sendForm(formOf(parts));
      expect(answer.statusCode, answer.body.slice(0, 200)).toBe(413);
    }
    expect((await sendForm(Buffer.alloc(300_000))).statusCode).toBe(413);
  });

  test("a body that is no form is 400, never 500", async () => {
    const halves = formOf([file]);
    for (const body of [
      halves.subarray(0, halves.length - 40),
      Buffer.from("--edge\r\nnonsense"),
      formOf([["toString", "x"]]),
    ]) {
      const answer = await sendForm(body);
      expect(answer.statusCode, answer.body).toBe(400);
    }
    expect((await sendForm("x", { "content-type": "multipart/form-data" })).statusCode).toBe(400);
    expect((await sendForm(formOf([["__proto__[a]", "x"]]))).statusCode).toBe(200);
  });

  test("without a token it is 401, from another site refused even with one", async () => {
    const form = formOf([["offline[motd_line1]", "theirs"]]);
    expect((await sendForm(form, { authorization: "" })).statusCode).toBe(401);
    for (const site of ["cross-site", "same-site"]) {
      expect((await sendForm(form, { "sec-fetch-site": site })).statusCode).toBe(415);
    }
    expect((await sendForm(form, { "sec-fetch-site": "same-origin" })).statusCode).toBe(200);
  });
});
