import { createCipheriv, createDecipheriv } from "node:crypto";
import {
  encodeConfigurationBrand,
  encodeConfigurationInformation,
  encodeConfigurationKeepAliveAnswer,
} from "@palisade/minecraft-protocol/java/configuration";
import {
  encodeByteArray,
  encodeFrame,
  FieldReader,
} from "@palisade/minecraft-protocol/java/fields";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { loginAcknowledged } from "@palisade/minecraft-protocol/java/login-success";
import { encodePlayKeepAliveAnswer } from "@palisade/minecraft-protocol/java/play";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { until } from "@palisade/testing/until";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { encryptionAnswer } from "#src/testing/encrypting-client.ts";
import { kickedSubject } from "#src/testing/kicked-subject.ts";
import { stubCaptchas } from "#src/testing/stub-captchas.ts";
import { packetLimitsOf, verificationLimits } from "./rules/limits.ts";
import { createLoginKey, type LoginKey, AccountVerifier } from "./account-challenge.ts";
import { SessionServer } from "./session-server.ts";
import { checkTransferCookie } from "./transfer-cookie.ts";
import { Verification, type VerificationSubject } from "./verification.ts";

const nowMs = 1_790_000_000_000;
const cookieKey = Buffer.alloc(32, 7);
const information = {
  locale: "en_us",
  viewDistance: 12,
  chatMode: 0,
  chatColours: true,
  skinParts: 127,
  mainHand: 1,
};
const steve = {
  name: "Steve",
  ip: Uint8Array.of(203, 0, 113, 9),
  host: "play.example.org",
  port: 25_565,
  challenge: "protocol",
  isStrict: false,
  allowsTextCaptcha: false,
  cookieKey,
  text: (about) => `§c${about} TRACE123`,
} as const satisfies Partial<VerificationSubject>;

let key: LoginKey;
beforeAll(async () => {
  key = await createLoginKey();
});

/** A verification whose owner writes down what it hears. */
function begin(
  change: Partial<VerificationSubject> & { readonly protocol: number },
  fetchProfile?: () => Promise<Response>,
) {
  const heard: string[] = [];
  const sent: Buffer[] = [];
  const end = (word: string, last: Buffer | undefined): void => {
    heard.push(word);
    if (last !== undefined) sent.push(last);
  };
  const premium =
    fetchProfile &&
    new AccountVerifier({
      key,
      sessions: new SessionServer({
        url: "http://sessions.invalid",
        limits: verificationLimits,
        monotonicMs: () => 0,
        fetch: fetchProfile,
      }),
      limits: verificationLimits,
      monotonicMs: () => 0,
    });
  const verification = new Verification(
    kickedSubject({ ...steve, ...change }),
    {
      packetLimits: packetLimitsOf(verificationLimits),
      premium,
      nowMs: () => nowMs,
      monotonicMs: () => 0,
      captchas: stubCaptchas,
    },
    {
      send: (bytes) => void sent.push(bytes),
      answered: () => undefined,
      passed: (last, transfers) => end(transfers ? "passed transfer" : "passed", last),
      failed: (fault, last) => end(fault, last),
    },
  );
  verification.start();
  return { verification, heard, sent };
}

/** Frames of what was sent: id and fields. */
function framesOf(bytes: Buffer): { id: number; fields: Buffer }[] {
  const frames = [];
  for (let at = 0; at < bytes.length;) {
    const frame = readFrame(bytes, at, 100_000);
    if (frame.kind !== "packet") throw new Error(`no frame at ${at}`);
    frames.push({ id: frame.id, fields: bytes.subarray(frame.bodyStart, frame.bodyEnd) });
    at = frame.bodyEnd;
  }
  return frames;
}

function lastFrame(sent: readonly Buffer[]): Buffer {
  return framesOf(Buffer.concat(sent)).at(-1)?.fields ?? Buffer.alloc(0);
}

/** The keep-alive's id, of whatever width. */
function askedIn(fields: Buffer): bigint {
  if (fields.length === 8) return fields.readBigInt64BE();
  return BigInt(new FieldReader(fields, 0, fields.length).varInt());
}

function present(bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) throw new Error("the version has no such packet");
  return bytes;
}

function answer(protocol: number, id: bigint): Buffer {
  return present(
    protocol < 764
      ? encodePlayKeepAliveAnswer(protocol, id)
      : encodeConfigurationKeepAliveAnswer(protocol, id),
  );
}

function settingsOf(protocol: number, brand = "vanilla", change = {}): Buffer {
  return Buffer.concat([
    present(encodeConfigurationBrand(protocol, brand)),
    present(encodeConfigurationInformation(protocol, { ...information, ...change })),
  ]);
}

const modern = knownReleases.filter(({ version }) => /^(1\.([89]|[12]\d)|2\d)/.test(version));

describe("a player who is verified", () => {
  test.each([...new Set(modern.map(({ protocol }) => protocol))])(
    "passes with protocol %d once the keep-alive comes back",
    (protocol) => {
      const { verification, heard, sent } = begin({ protocol });
      if (protocol >= 764) {
        verification.received(Buffer.concat([loginAcknowledged, settingsOf(protocol)]));
      }
      expect(heard).toEqual([]);
      const asked = lastFrame(sent);
      // An i64 from 1.12.2 on, a VarInt before.
      expect(asked.length === 8).toBe(protocol >= 340);
      verification.received(answer(protocol, askedIn(asked)));
      expect(heard).toEqual([protocol >= 766 ? "passed transfer" : "passed"]);
      if (protocol < 766) expect(lastFrame(sent).toString("latin1")).toContain("rejoin TRACE123");
    },
  );

  test("is sent back to the same host, with a cookie for this player", () => {
    const { verification, sent } = begin({ protocol: 772 });
    verification.received(Buffer.from(loginAcknowledged));
    verification.received(answer(772, askedIn(lastFrame(sent))));
    const [store, transfer] = framesOf(Buffer.concat(sent)).slice(-2);
    const cookieFields = new FieldReader(present(store?.fields), 0, store?.fields.length ?? 0);
    expect(cookieFields.string(64)).toBe("palisade:verified");
    const cookie = cookieFields.byteArray(200);
    expect(checkTransferCookie(cookie, steve, cookieKey, nowMs).kind).toBe("valid");
    const to = new FieldReader(present(transfer?.fields), 0, transfer?.fields.length ?? 0);
    expect([to.string(255), to.varInt(), to.complete]).toEqual(["play.example.org", 25_565, true]);
  });

  test("is told to rejoin if no cookie can be signed", () => {
    const { verification, sent, heard } = begin({ protocol: 772, cookieKey: undefined });
    verification.received(Buffer.from(loginAcknowledged));
    verification.received(answer(772, askedIn(lastFrame(sent))));
    expect(heard).toEqual(["passed"]);
    expect(lastFrame(sent).toString("latin1")).toContain("rejoin TRACE123");
  });

  test("passes in whatever pieces the bytes come", () => {
    for (const protocol of [763, 765, 772]) {
      const probe = begin({ protocol });
      const before =
        protocol < 764 ? Buffer.alloc(0) : Buffer.concat([loginAcknowledged, settingsOf(protocol)]);
      probe.verification.received(before);
      const length = before.length + answer(protocol, askedIn(lastFrame(probe.sent))).length;
      for (let cut = 1; cut < length; cut++) {
        const { verification, heard, sent } = begin({ protocol, isStrict: true });
        const feed = (bytes: Buffer, from: number): void => {
          const at = Math.min(Math.max(cut - from, 0), bytes.length);
          verification.received(bytes.subarray(0, at));
          verification.received(bytes.subarray(at));
        };
        feed(before, 0);
        feed(answer(protocol, askedIn(lastFrame(sent))), before.length);
        expect(heard[0]).toMatch(/^passed/);
      }
    }
  });
});

describe("a bot", () => {
  const long = `${"§cПроверка §eне §aпройдена\n".repeat(76)}§8TRACE123`;
  const checked = [5, ...modern.map(({ protocol }) => protocol)];

  test.each([...new Set(checked)])(
    "of protocol %d that answers nothing is sent at most twenty times its own bytes, whatever the text is",
    (protocol) => {
      const silent = begin({ protocol, challenge: "gravity", text: () => long });
      silent.verification.expire();
      expect(silent.heard).toEqual(["silence"]);
      const wrong = begin({ protocol, challenge: "gravity", text: () => long });
      if (protocol >= 764) wrong.verification.received(Buffer.from(loginAcknowledged));
      wrong.verification.received(answer(protocol, 0n));
      expect(wrong.heard).toEqual(["wrong-echo"]);
      for (const { sent } of [silent, wrong]) {
        const bytes = Buffer.concat(sent);
        expect(bytes.length).toBeLessThanOrEqual(20 * 40);
        expect(bytes.toString("utf8")).toContain("TRACE123");
      }
    },
  );

  test("that has answered the first question reads the whole text", () => {
    const { verification, sent, heard } = begin({
      protocol: 47,
      challenge: "gravity",
      text: () => long,
    });
    verification.received(answer(47, askedIn(lastFrame(sent))));
    verification.expire();
    expect(heard).toEqual(["silence"]);
    expect(sent.at(-1)?.length).toBeGreaterThan(2_048);
  });

  test("that does not confirm its account is sent as little", () => {
    const silent = begin({ protocol: 767, challenge: "premium", text: () => long }, () =>
      Promise.reject(new Error("not called")),
    );
    silent.verification.expire();
    expect(Buffer.concat(silent.sent).length).toBeLessThanOrEqual(20 * 40);
  });

  const acknowledged = Buffer.from(loginAcknowledged);

  test.each<[string, number, Buffer, string]>([
    ["another echo", 772, Buffer.concat([acknowledged, answer(772, 0n)]), "wrong-echo"],
    ["another echo below 1.20.2", 763, answer(763, 0n), "wrong-echo"],
    ["an echo before it has acknowledged", 772, answer(772, 1n), "unexpected"],
    ["two acknowledgements", 772, Buffer.concat([acknowledged, acknowledged]), "unexpected"],
    ["Login Start again", 772, encodeFrame(0, Buffer.from("05537465766500", "hex")), "unexpected"],
    ["that it has finished", 772, Buffer.concat([acknowledged, encodeFrame(3)]), "unexpected"],
    ["a packet no version has", 763, encodeFrame(0x7f), "unexpected"],
    ["half a keep-alive", 763, encodeFrame(0x12, Buffer.alloc(4)), "malformed"],
    ["an empty frame", 763, Buffer.of(0), "malformed"],
    ["an announcement of 2 MB", 763, Buffer.from("ffff7f", "hex"), "malformed"],
    ["a varint bomb", 763, Buffer.alloc(64, 0xff), "malformed"],
    [
      "a flood of small packets",
      763,
      Buffer.concat(Array.from({ length: 99 }, () => encodeFrame(1))),
      "too-much",
    ],
    ["a flood of bytes", 763, Buffer.alloc(20_000), "too-much"],
  ])("that sends %s is told so in its own form", (_what, protocol, bytes, fault) => {
    const { verification, heard, sent } = begin({ protocol });
    verification.received(bytes);
    expect(heard).toEqual([fault]);
    expect(lastFrame(sent).toString("latin1")).toContain(`${fault} TRACE123`);
  });

  test.each([763, 764, 765, 772])(
    "that says nothing is told so at the deadline (%d)",
    (protocol) => {
      const { verification, heard, sent } = begin({ protocol });
      verification.expire();
      expect(heard).toEqual(["silence"]);
      expect(lastFrame(sent).toString("latin1")).toContain("silence TRACE123");
      verification.received(Buffer.alloc(100));
      verification.expire();
      expect(heard).toHaveLength(1);
    },
  );

  test("that has left is not heard of again", () => {
    const { verification, heard } = begin({ protocol: 772 });
    verification.abort();
    verification.received(Buffer.from(loginAcknowledged));
    verification.expire();
    expect(heard).toEqual([]);
  });

  test.each<[string, Buffer, string]>([
    ["no settings", Buffer.alloc(0), "no-settings"],
    ["no brand", present(encodeConfigurationInformation(772, information)), "no-settings"],
    ["an empty brand", settingsOf(772, ""), "odd-settings"],
    ["a brand of control characters", settingsOf(772, "a\nb"), "odd-settings"],
    ["no locale", settingsOf(772, "vanilla", { locale: "" }), "odd-settings"],
    ["a view distance of 0", settingsOf(772, "vanilla", { viewDistance: 0 }), "odd-settings"],
    ["a third hand", settingsOf(772, "vanilla", { mainHand: 2 }), "odd-settings"],
  ])("with %s fails where settings are looked at, and only there", (_what, settings, fault) => {
    for (const isStrict of [true, false]) {
      const { verification, heard, sent } = begin({ protocol: 772, isStrict });
      verification.received(acknowledged);
      const asked = askedIn(lastFrame(sent));
      verification.received(Buffer.concat([settings, answer(772, asked)]));
      expect(heard).toEqual([isStrict ? fault : "passed transfer"]);
    }
  });

  test("whatever bytes a client sends, nothing throws and the verification ends once, at the deadline at the latest", () => {
    const valid = fc.constantFrom(
      acknowledged,
      settingsOf(772),
      answer(772, 5n),
      answer(763, 5n),
      answer(47, 5n),
      encodeFrame(1, encodeByteArray(Buffer.alloc(128)), encodeByteArray(Buffer.alloc(128))),
    );
    const mutated = fc.tuple(valid, fc.nat(60), fc.nat(255)).map(([bytes, at, value]) => {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = value;
      return copy;
    });
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const chunks = fc.array(fc.oneof(valid, mutated, random), { maxLength: 12 });
    const protocols = fc.constantFrom(
      4,
      5,
      47,
      110,
      340,
      578,
      758,
      759,
      763,
      764,
      765,
      766,
      772,
      0x4000_0100,
    );
    const challenges = fc.constantFrom("protocol" as const, "gravity" as const, "premium" as const);
    fc.assert(
      fc.property(
        protocols,
        challenges,
        fc.boolean(),
        chunks,
        (protocol, challenge, isStrict, received) => {
          const { verification, heard } = begin({ protocol, challenge, isStrict }, () =>
            Promise.reject(new Error()),
          );
          for (const chunk of received) verification.received(chunk);
          verification.expire();
          expect(heard).toHaveLength(1);
          if (challenge === "premium") expect(heard[0]).not.toMatch(/^passed/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("account challenge", () => {
  const profile = { id: "0123456789abcdef0123456789abcdef", name: "Steve" };
  async function prove(protocol: number, answer: () => Promise<Response>) {
    const player = begin({ protocol, challenge: "premium" }, answer);
    const { packet, secret } = encryptionAnswer(lastFrame(player.sent));
    player.verification.received(packet);
    const plain = player.sent.length;
    await until(() => player.sent.length > plain || player.heard.length > 0);
    const decipher = createDecipheriv("aes-128-cfb8", secret, secret);
    const cipher = createCipheriv("aes-128-cfb8", secret, secret);
    let opened = plain;
    const open = (): Buffer[] =>
      player.sent
        .slice(opened, (opened = player.sent.length))
        .map((bytes) => decipher.update(bytes));
    return { ...player, open, seal: (bytes: Uint8Array) => cipher.update(bytes) };
  }

  test.each([47, 758, 763, 765, 772])(
    "an account that has joined passes, encrypted (%d)",
    async (protocol) => {
      const { verification, heard, open, seal } = await prove(protocol, () =>
        Promise.resolve(Response.json(profile)),
      );
      let frames = open();
      expect(framesOf(Buffer.concat(frames))[0]?.id).toBe(2);
      if (protocol >= 764) {
        verification.received(seal(loginAcknowledged));
        frames = open();
      }
      verification.received(seal(answer(protocol, askedIn(lastFrame(frames)))));
      expect(heard).toEqual([protocol >= 766 ? "passed transfer" : "passed"]);
      expect(framesOf(Buffer.concat(open())).length).toBe(protocol >= 766 ? 2 : 1);
    },
  );

  test.each<[string, () => Promise<Response>, string]>([
    ["has not joined", () => Promise.resolve(new Response(null, { status: 204 })), "not-premium"],
    [
      "is another's",
      () => Promise.resolve(Response.json({ ...profile, name: "Alex" })),
      "not-premium",
    ],
    ["cannot be asked for", () => Promise.reject(new Error("gone")), "session-server"],
  ])("an account that %s is told so, encrypted", async (_what, fetchProfile, fault) => {
    const { heard, open } = await prove(772, fetchProfile);
    expect(heard).toEqual([fault]);
    expect(lastFrame(open()).toString("latin1")).toContain(`${fault} TRACE123`);
  });

  test("while the session server is not called, no player is asked to encrypt", () => {
    const { heard, sent } = begin({ protocol: 772, challenge: "premium" });
    expect(heard).toEqual(["session-server"]);
    expect(framesOf(Buffer.concat(sent)).map(({ id }) => id)).toEqual([0]);
  });

  test("an answer that was encrypted to nothing of ours fails", () => {
    const { verification, heard } = begin({ protocol: 772, challenge: "premium" }, () =>
      Promise.reject(new Error("is not asked")),
    );
    const noise = encodeByteArray(Buffer.alloc(128, 9));
    verification.received(encodeFrame(1, noise, noise));
    expect(heard).toEqual(["encryption"]);
  });
});
