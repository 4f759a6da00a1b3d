import { encodeFrame, encodeVarInt } from "@palisade/minecraft-protocol/java/fields";
import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { describe, expect, test } from "vitest";
import { LimboClient, type LimboClientOptions } from "#src/testing/limbo-client.ts";
import { kickedSubject } from "#src/testing/kicked-subject.ts";
import { stubCaptchas } from "#src/testing/stub-captchas.ts";
import { packetLimitsOf, verificationLimits } from "./rules/limits.ts";
import { Verification, type VerificationSubject } from "./verification.ts";

/** From 1.7.2 on; each number once. */
const protocols = [
  ...new Set(
    knownReleases
      .slice(knownReleases.findIndex(({ version }) => version === "1.7.2"))
      .map(({ protocol }) => protocol),
  ),
];
/** The forms of the world, of movement and of teleports. */
const forms = [5, 47, 340, 758, 763, 765, 767, 772];
/** Handshake and Login Start of a short host and name. */
const helloBytes = 40;
const tickMs = 50;

interface Options extends Omit<LimboClientOptions, "protocol"> {
  readonly challenge?: VerificationSubject["challenge"];
  readonly isStrict?: boolean;
  readonly canReturn?: boolean;
  /** The player reads it in the end; by default it is the reason. */
  readonly text?: string;
}

/** A player in verification, with a clock that the test moves on. */
class Visit {
  readonly protocol: number;
  readonly client: LimboClient;
  readonly verification: Verification;
  readonly heard: string[] = [];
  readonly passes: number[] = [];
  last: Buffer | undefined;
  sentBytes = 0;
  receivedBytes = helloBytes;
  /** Bytes sent and received when the first answer to a challenge came. */
  atFirstAnswer: { sent: number; received: number } | undefined;
  #answers = 0;
  #sent: Buffer[] = [];
  nowMs = 0;

  constructor(protocol: number, options: Options = {}) {
    this.protocol = protocol;
    const { challenge = "gravity", isStrict = true, canReturn = false, text } = options;
    this.client = new LimboClient({ ...options, protocol });
    this.verification = new Verification(
      kickedSubject({
        protocol,
        name: "Steve",
        ip: Uint8Array.of(203, 0, 113, 9),
        host: "play.example.org",
        port: 25_565,
        challenge,
        isStrict,
        allowsTextCaptcha: false,
        cookieKey: canReturn ? Buffer.alloc(32, 7) : undefined,
        text: (about) => text ?? about,
      }),
      {
        packetLimits: packetLimitsOf(verificationLimits),
        premium: undefined,
        nowMs: () => 0,
        monotonicMs: () => this.nowMs,
        captchas: stubCaptchas,
      },
      {
        send: (bytes) => {
          this.sentBytes += bytes.length;
          this.#sent.push(bytes);
        },
        answered: () => void this.#answers++,
        passed: (last, transfers, tookMs) => {
          this.heard.push(transfers ? "transferred" : "passed");
          this.passes.push(tookMs);
          this.last = last;
        },
        failed: (fault, last) => {
          this.heard.push(fault);
          this.last = last;
        },
      },
    );
    this.verification.start();
    this.talk();
  }

  /** The client answers until neither has more to say. */
  talk(change = (answer: Buffer): Buffer => answer): void {
    while (this.#sent.length > 0) {
      const bytes = Buffer.concat(this.#sent);
      this.#sent = [];
      const before = this.sentBytes;
      this.say(change(this.client.hear(bytes)));
      if (this.sentBytes - before > 100) this.#noteAnswer(before);
    }
  }

  say(bytes: Buffer): void {
    this.receivedBytes += bytes.length;
    if (bytes.length > 0) this.verification.received(bytes);
  }

  #noteAnswer(sent: number): void {
    this.atFirstAnswer ??= { sent, received: this.receivedBytes };
  }

  /** Lets the game run. */
  play(ticks = 200, paceMs = tickMs): this {
    for (let n = 0; n < ticks && this.heard.length === 0; n++) {
      this.nowMs += paceMs;
      this.say(this.client.tick());
      this.talk();
    }
    return this;
  }
}

describe("a game that plays honestly", () => {
  test.each(protocols)("passes the limbo in protocol %d, and comes back", (protocol) => {
    const visit = new Visit(protocol, { canReturn: true }).play();
    expect(visit.heard).toEqual([protocol >= 766 ? "transferred" : "passed"]);
    expect(visit.client.state).toBe("play");
    // At least the ticks of both falls; at most some seconds.
    expect(visit.passes[0]).toBeGreaterThan(900);
    expect(visit.passes[0]).toBeLessThan(3_000);
  });

  test.each(forms)("is sent little before it has answered once (%d)", (protocol) => {
    const { atFirstAnswer } = new Visit(protocol).play();
    const { sent, received } = atFirstAnswer ?? { sent: Number.NaN, received: 1 };
    expect(sent / received).toBeLessThan(4);
  });

  test("passes on a computer with a fifth of the pace, and after a freeze", () => {
    for (const protocol of forms) {
      expect(new Visit(protocol).play(200, 250).heard).toEqual(["passed"]);
      const frozen = new Visit(protocol);
      frozen.nowMs += 3_000;
      frozen.play(10, 0);
      expect(frozen.play().heard).toEqual(["passed"]);
    }
  });

  test("reads in its own language how far it has come", () => {
    const read = (protocol: number, locale: string): string => {
      const { client } = new Visit(protocol, { locale }).play();
      return Buffer.concat(client.titles).toString("utf8");
    };
    for (const protocol of [47, 340, 758, 764, 772]) {
      expect(read(protocol, "en_us")).toMatch(/Checking your connection… 1 of 4[^]*… 4 of 4/);
      expect(read(protocol, "ru_ru")).toMatch(/Проверяем соединение… 1 из 4/);
      expect(read(protocol, "de_de")).toMatch(/Checking your connection…/);
    }
  });

  test("asks for other things in each visit, in another order", () => {
    const visits = Array.from({ length: 12 }, () =>
      Buffer.concat(
        new Visit(772)
          .play()
          .client.heard.filter(({ id }) => id === packetIds.play.toClient.playerPosition(772))
          .map(({ fields }) => fields),
      ).toString("hex"),
    );
    expect(new Set(visits).size).toBe(12);
  });
});

describe("a bot", () => {
  test.each(forms)("without physics does not pass, whatever it echoes (%d)", (protocol) => {
    const visit = new Visit(protocol, { falls: false }).play();
    expect(visit.heard).toEqual([]);
    visit.verification.expire();
    expect(visit.heard).toEqual(["silence"]);
    expect(String(visit.last)).toContain("silence");
  });

  test.each(forms)("that falls through the platform does not pass (%d)", (protocol) => {
    expect(new Visit(protocol, { collides: false }).play().heard).toEqual(["no-landing"]);
  });

  test.each(forms)("that computes the whole fall at once does not pass (%d)", (protocol) => {
    expect(new Visit(protocol).play(200, 1).heard).toEqual(["too-fast"]);
  });

  test.each(forms)("that sends what another player sent does not pass (%d)", (protocol) => {
    const recorded: Buffer[] = [];
    const honest = new Visit(protocol);
    const { say } = honest;
    honest.say = (bytes) => {
      recorded.push(bytes);
      say.call(honest, bytes);
    };
    honest.play();
    const replayed = new Visit(protocol);
    for (const bytes of recorded) replayed.say(bytes);
    replayed.verification.expire();
    expect(replayed.heard).toHaveLength(1);
    expect(replayed.heard[0]).not.toBe("passed");
  });

  test.each(forms.filter((protocol) => protocol >= 107))(
    "that confirms another teleport, or one twice, does not pass (%d)",
    (protocol) => {
      const confirm = packetIds.play.toServer.teleportConfirm(protocol) ?? -1;
      const visit = new Visit(protocol);
      visit.say(encodeFrame(confirm, encodeVarInt(7)));
      expect(visit.heard[0]).toMatch(/^wrong-/);
    },
  );

  test("that stands in the air, or jumps about, does not pass", () => {
    for (const protocol of forms) {
      for (const change of [0x01, 0x10]) {
        const visit = new Visit(protocol);
        for (let n = 0; n < 200 && visit.heard.length === 0; n++) {
          visit.nowMs += tickMs;
          const bytes = Buffer.from(visit.client.tick());
          // The last byte of a position is whether the player stands, and the fourth is a part of x.
          const at = visit.client.hasTickEnd ? bytes.length - 3 : bytes.length - 1;
          const changed = change === 0x01 ? at : 3;
          if (bytes.length > 20) bytes[changed] = (bytes[changed] ?? 0) ^ change;
          visit.say(bytes);
          visit.talk();
        }
        expect(visit.heard[0]).toMatch(/^(no-|wrong-|malformed)/);
      }
    }
  });
});

test("settings that a game tells in the limbo are looked at where the owner wants it", () => {
  for (const protocol of [47, 758, 763, 772]) {
    expect(new Visit(protocol, { locale: "" }).play().heard).toEqual(["odd-settings"]);
    expect(new Visit(protocol, { locale: "", isStrict: false }).play().heard).toEqual(["passed"]);
  }
});
