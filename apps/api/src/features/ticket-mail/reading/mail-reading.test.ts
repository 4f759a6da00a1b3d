import { afterAll, describe, expect, test } from "vitest";
import { createMailReading } from "./mail-reading.ts";
import { MailUnreadable } from "./read-mail.ts";

const limits = { msMax: 20_000, filesMax: 5, fileBytesMax: 64 * 1024 };
const reading = createMailReading(limits);
const { read } = reading;
afterAll(() => reading.close());

/** A mail as it travels; the body follows the headers. */
function mail(headers: readonly string[], body: string): Buffer {
  return Buffer.from([...headers, "", body].join("\r\n"));
}

const head = [
  "From: Alex <Alex@Example.com>",
  "To: support+1001.abcdefghijklmnop@example.com",
  "Subject: =?utf-8?B?0J/RgNC40LLQtdGC?=",
  "Message-ID: <one@example.com>",
  "MIME-Version: 1.0",
];

/** @param parts each with its own headers */
function multipart(
  parts: readonly (readonly [readonly string[], string])[],
  type = "mixed",
): Buffer {
  const lines = parts.flatMap(([headers, body]) => ["--b", ...headers, "", body]);
  return mail(
    [...head, `Content-Type: multipart/${type}; boundary=b`],
    [...lines, "--b--"].join("\r\n"),
  );
}

const plain = ["Content-Type: text/plain; charset=utf-8"] as const;
const file = (name: string, type = "text/plain") => [
  `Content-Type: ${type}; name="${name}"`,
  `Content-Disposition: attachment; filename="${name}"`,
];

describe("a mail", () => {
  test("is read with its sender, subject, id, text and files", async () => {
    const base64 = Buffer.from("a,b\n1,2\n").toString("base64");
    const { from, subject, mailId, text, files, recipients } = await read(
      multipart([
        [plain, "It works now.\r\n\r\n-- \r\nAlex"],
        [[...file("data.csv", "text/csv"), "Content-Transfer-Encoding: base64"], base64],
      ]),
    );
    expect({ from, subject, mailId, text, recipients }).toEqual({
      from: ["alex@example.com"],
      subject: "Привет",
      mailId: "<one@example.com>",
      text: "It works now.",
      recipients: ["support+1001.abcdefghijklmnop@example.com"],
    });
    expect(files.map(({ name, content }) => [name, Buffer.from(content ?? []).toString()])).toEqual(
      [["data.csv", "a,b\n1,2\n"]],
    );
  });

  test("in an old Russian encoding is read word for word", async () => {
    const koi8 = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]);
    const source = mail(
      [...head, "Content-Type: text/plain; charset=koi8-r", "Content-Transfer-Encoding: base64"],
      koi8.toString("base64"),
    );
    expect((await read(source)).text).toBe("Привет");
  });

  test("with text and HTML is read as the text, and by its HTML where the text is empty", async () => {
    const html = ["Content-Type: text/html; charset=utf-8"];
    const both = multipart(
      [
        [plain, "As text"],
        [html, "<p>As HTML</p>"],
      ],
      "alternative",
    );
    expect((await read(both)).text).toBe("As text");
    const empty = multipart(
      [
        [plain, " "],
        [html, "<p>As <b>HTML</b></p><script>alert(1)</script>"],
      ],
      "alternative",
    );
    expect((await read(empty)).text).toBe("As HTML");
  });

  test("with two senders names both: neither is believed", async () => {
    const two = mail(["From: a@example.com, b@example.com", ...plain], "Text");
    expect((await read(two)).from).toEqual(["a@example.com", "b@example.com"]);
  });

  test("cannot put lines into headers of ours by its id", async () => {
    for (const id of ["<a@b>\r\n Bcc: <c@d>", "<a b@c>", `<${"a".repeat(400)}@b>`, "a@b\u0000"]) {
      const { mailId } = await read(
        mail([`From: a@example.com`, `Message-ID: ${id}`, ...plain], "Text"),
      );
      expect(mailId === null || /^<[^<>\s]{1,250}>$/.test(mailId), String(mailId)).toBe(true);
    }
  });

  test("keeps no picture of a signature, and names files beyond the limits without their bytes", async () => {
    const cid = [
      "Content-Type: image/png; name=logo.png",
      "Content-Id: <logo>",
      "Content-Disposition: inline",
    ];
    const related = multipart(
      [
        [plain, "Text"],
        [cid, "small"],
      ],
      "related",
    );
    expect((await read(related)).files).toEqual([]);
    const many = Array.from(
      { length: 7 },
      (_, index) => [file(`${index}.txt`), `${index}`] as const,
    );
    const { files } = await read(
      multipart([[plain, "Text"], [file("big.txt"), "x".repeat(70_000)], ...many]),
    );
    expect(files.map(({ name }) => name)).toEqual([
      "big.txt",
      ...many.map((_, index) => `${index}.txt`),
    ]);
    expect(files.filter(({ content }) => content !== null)).toHaveLength(4);
  });
});

describe("a hostile mail is refused or read in bounds", () => {
  const refusal = async (source: Buffer, by = read): Promise<unknown> =>
    by(source).then(
      ({ text, files }) => ({ text: text.length, files: files.length }),
      (error: unknown) => (error instanceof MailUnreadable ? "unreadable" : error),
    );

  test("with huge headers", async () => {
    expect(await refusal(mail([...head, `X-Big: ${"a".repeat(300_000)}`, ...plain], "Text"))).toBe(
      "unreadable",
    );
    const many = Array.from({ length: 20_000 }, (_, index) => `X-${index}: ${"a".repeat(20)}`);
    expect(await refusal(mail([...head, ...many, ...plain], "Text"))).toBe("unreadable");
  });

  test("with thousands of parts", async () => {
    const parts = Array.from({ length: 5_000 }, () => [plain, "x"] as const);
    expect(await refusal(multipart(parts))).toBe("unreadable");
  });

  test("with parts in parts in parts", async () => {
    const depth = 5_000;
    const opened = Array.from({ length: depth }, (_, index) =>
      [`Content-Type: multipart/mixed; boundary=b${index}`, "", `--b${index}`].join("\r\n"),
    );
    expect(await refusal(Buffer.from([...head, ...opened, ...plain, "", "x"].join("\r\n")))).toBe(
      "unreadable",
    );
  });

  test.each([
    ["HTML of a hundred thousand open tags", "html", `${"<div><b>".repeat(100_000)}Text`],
    ["lines that keep a pattern busy forever", "plain", "Op schreef\r\n".repeat(1_600)],
  ])("with %s, in the time it may take, and the next mail is read", async (_, type, body) => {
    const quick = createMailReading({ ...limits, msMax: 4_000 });
    try {
      expect(await refusal(mail([...head, `Content-Type: text/${type}`], body), quick.read)).toBe(
        "unreadable",
      );
      expect((await quick.read(mail([...head, ...plain], "Text"))).text).toBe("Text");
    } finally {
      await quick.close();
    }
  });

  test("with a body of 20 MB", async () => {
    expect(await refusal(mail([...head, ...plain], "word ".repeat(4_000_000)))).toMatchObject({
      files: 0,
    });
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(10_000)],
    ["no headers", Buffer.from("Hello")],
    ["a boundary without end", multipart([[["Content-Type: multipart/mixed; boundary="], "--"]])],
    [
      "an encoding that there is not",
      mail([...head, "Content-Type: text/plain; charset=x-none"], "Text"),
    ],
    ["a broken encoding", mail([...head, ...plain, "Content-Transfer-Encoding: base64"], "===%%%")],
    ["names of prototypes", mail(["__proto__: a", "constructor: b", ...head, ...plain], "Text")],
    [
      "a path as a name",
      multipart([
        [plain, "Text"],
        [file("../../etc/passwd"), "x"],
      ]),
    ],
  ])("of %s", async (_, source) => {
    expect(await refusal(source)).toSatisfy(
      (outcome: unknown) => outcome === "unreadable" || !(outcome instanceof Error),
    );
  });
});
