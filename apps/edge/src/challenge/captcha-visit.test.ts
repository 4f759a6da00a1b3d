import { packetIds } from "@palisade/minecraft-protocol/java/packet-ids";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { describe, expect, test } from "vitest";
import { encodeChat, encodeCommand } from "#src/testing/chat-packets.ts";
import { LimboClient } from "#src/testing/limbo-client.ts";
import { kickedSubject } from "#src/testing/kicked-subject.ts";
import { stubCaptchas, stubCode } from "#src/testing/stub-captchas.ts";
import { packetLimitsOf, verificationLimits } from "./rules/limits.ts";
import { type Turn, Verification } from "./verification.ts";

/** From 1.7.2 on; each number once. */
const protocols = [
  ...new Set(
    knownReleases
      .slice(knownReleases.findIndex(({ version }) => version === "1.7.2"))
      .map(({ protocol }) => protocol),
  ),
];
const tickMs = 50;

interface Options {
  readonly falls?: boolean;
  readonly allowsTextCaptcha?: boolean;
}

/** A player who is asked for a captcha, on a clock of the test's own. */
class CaptchaVisit {
  readonly protocol: number;
  readonly client: LimboClient;
  readonly heard: string[] = [];
  readonly turns: Turn[] = [];
  readonly verification: Verification;
  /** The next bytes for the player are too many. */
  mustMakeRoom = false;
  #sent: Buffer[] = [];
  #nowMs = 0;

  constructor(protocol: number, { falls = true, allowsTextCaptcha = false }: Options = {}) {
    this.protocol = protocol;
    this.client = new LimboClient({ protocol, falls });
    this.verification = new Verification(
      kickedSubject({
        protocol,
        name: "Steve",
        ip: Uint8Array.of(203, 0, 113, 9),
        host: "",
        port: 25_565,
        challenge: "captcha",
        isStrict: true,
        allowsTextCaptcha,
        cookieKey: undefined,
        text: (about) => about,
      }),
      {
        packetLimits: packetLimitsOf(verificationLimits),
        premium: undefined,
        nowMs: () => 0,
        monotonicMs: () => this.#nowMs,
        captchas: stubCaptchas,
      },
      {
        send: (bytes) => {
          this.#sent.push(bytes);
          if (this.mustMakeRoom) this.verification.makeRoom();
        },
        answered: (turn) => void this.turns.push(turn),
        passed: () => void this.heard.push("passed"),
        failed: (fault) => void this.heard.push(fault),
      },
    );
    this.verification.start();
    this.#answer();
  }

  get maps(): number {
    const id = packetIds.play.toClient.map(this.protocol);
    return this.client.heard.filter((packet) => packet.state === "play" && packet.id === id).length;
  }

  say(bytes: Buffer): void {
    if (bytes.length > 0) this.verification.received(bytes);
    this.#answer();
  }

  /** Plays until the player sees a map. */
  play(): this {
    for (let n = 0; n < 400 && this.heard.length === 0 && this.maps === 0; n++) {
      this.#nowMs += tickMs;
      this.say(this.client.tick());
    }
    return this;
  }

  #answer(): void {
    while (this.#sent.length > 0) {
      const bytes = Buffer.concat(this.#sent);
      this.#sent = [];
      const answer = this.client.hear(bytes);
      if (answer.length > 0) this.verification.received(answer);
    }
  }
}

describe("a captcha in the limbo", () => {
  test.each(protocols)("comes after the fall, and its code lets protocol %d in", (protocol) => {
    const byChat = new CaptchaVisit(protocol).play();
    // 1.7 has a packet for each column.
    expect(byChat.maps).toBe(protocol < 47 ? 128 : 1);
    expect(byChat.turns.at(-1)).toBe("reader");
    byChat.say(encodeChat(protocol, stubCode.toLowerCase()));
    expect(byChat.heard).toEqual(["passed"]);
    const byCommand = new CaptchaVisit(protocol).play();
    byCommand.say(encodeCommand(protocol, `code ${stubCode}`));
    expect(byCommand.heard).toEqual(["passed"]);
  });

  test("ends with the third wrong code", () => {
    for (const protocol of [5, 340, 772]) {
      const visit = new CaptchaVisit(protocol).play();
      for (const code of ["XXXX", "YYYY", "WWWW"]) visit.say(encodeChat(protocol, code));
      expect(visit.heard).toEqual(["wrong-code"]);
    }
  });

  test("is not shown to a bot without physics, which cannot pass it before either", () => {
    for (const protocol of [5, 340, 772]) {
      const visit = new CaptchaVisit(protocol, { falls: false }).play();
      visit.say(encodeChat(protocol, stubCode));
      expect(visit.maps).toBe(0);
      visit.verification.expire();
      expect(visit.heard).not.toContain("passed");
      expect(visit.heard).toHaveLength(1);
    }
  });

  test("ends for a player who does not read what they ask for", () => {
    const visit = new CaptchaVisit(772).play();
    visit.mustMakeRoom = true;
    visit.verification.received(
      Buffer.concat([encodeChat(772, "XXXX"), encodeChat(772, stubCode), encodeChat(772, "YYYY")]),
    );
    expect(visit.heard).toEqual(["too-slow"]);
  });

  test("tells its code as text only if the owner wants that", () => {
    for (const allowsTextCaptcha of [false, true]) {
      const visit = new CaptchaVisit(772, { allowsTextCaptcha }).play();
      visit.say(encodeCommand(772, "code text"));
      const read = visit.client.heard.map(({ fields }) => fields.toString("latin1")).join("");
      expect(read.includes([...stubCode].join(" "))).toBe(allowsTextCaptcha);
    }
  });

  test("has room for a player who reads for a minute while the game tells each tick", () => {
    for (const protocol of [47, 772]) {
      const visit = new CaptchaVisit(protocol).play();
      const ticks = verificationLimits.captchaTotalMs / tickMs;
      for (let n = 0; n < ticks; n++) visit.say(visit.client.tick());
      visit.say(encodeChat(protocol, stubCode));
      expect(visit.heard).toEqual(["passed"]);
    }
  });
});
