import { loginEntry } from "@palisade/contract/edge/telemetry";
import { describe, expect, test } from "vitest";
import { type FinishedLogin, LoginLog, readJoins, sampleOneIn, TraceCodes } from "./login-log.ts";

const start = Date.parse("2030-01-15T12:00:00.000Z");

function shieldOf(n: number): string {
  return `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

function login(changes: Partial<FinishedLogin> = {}): FinishedLogin {
  return {
    shieldId: shieldOf(1),
    verdict: "vpn",
    shadow: false,
    ip: Uint8Array.of(203, 0, 113, 7),
    player: "Steve",
    protocol: 767,
    host: "play.example.com",
    ...changes,
  };
}

/** A login whose facts are the usual ones. */
const trace = "0123456A";
const usual = { trace, loggedAttempt: () => ({}) };

let nowMs = start;

function createLog(): LoginLog {
  nowMs = start;
  return new LoginLog(() => nowMs);
}

function passSecond(): void {
  nowMs += 1_000;
}

function note(log: LoginLog, logins: number, changes: Partial<FinishedLogin> = {}): void {
  for (let n = 0; n < logins; n++) log.note(login(changes), usual);
}

const all = Number.POSITIVE_INFINITY;

describe("players who have joined", () => {
  test("are told once each to the thread that counts them, however many they are", () => {
    const log = createLog();
    for (let n = 0; n < 2_000; n++) note(log, 1, { verdict: "joined", player: `P${n}` });
    const joins = [...readJoins(structuredClone(log.takeAll().joins))];
    const { shieldId } = login();
    expect(joins).toEqual(
      Array.from({ length: 2_000 }, (_, n) => {
        return { shieldId, player: `P${n}`, protocol: 767, ip: "203.0.113.7" };
      }),
    );
    expect([...readJoins(log.takeAll().joins)]).toEqual([]);
  });

  test("are told apart whatever their names and versions are", () => {
    const log = createLog();
    const long = { player: "x".repeat(5_000), protocol: -2_147_483_648 };
    const strange = { player: " a\nb é c ", ip: new Uint8Array(16).fill(255) };
    note(log, 1, { verdict: "joined", ...long });
    note(log, 1, { verdict: "blacklist", shadow: true, ...strange });
    note(log, 1, { verdict: "blacklist" });
    expect([...readJoins(log.takeAll().joins)]).toMatchObject([
      { player: "x".repeat(16), protocol: -2_147_483_648 },
      { player: " ab  c ", ip: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" },
    ]);
  });

  test("are no more than a report may have", () => {
    const log = createLog();
    note(log, 20_005, { verdict: "joined" });
    expect([...readJoins(log.takeAll().joins)]).toHaveLength(20_000);
  });
});

describe("the owner's log", () => {
  test("asks what the rules have read only for entries that it keeps", () => {
    const log = createLog();
    let asked = 0;
    const source = { trace, loggedAttempt: () => ({ frame_bytes: ++asked }) };
    for (let n = 0; n < 50; n++) log.note(login(), source);
    expect(asked).toBe(log.size);
    expect(asked).toBeLessThan(50);
  });

  test("has every login in quiet times, as the contract has them", () => {
    const log = createLog();
    log.note(login({ facts: { limit: "20/s" } }), usual);
    log.note(login({ verdict: "joined", shieldId: shieldOf(2) }), usual);
    const entries = log.take(all);
    expect(entries).toEqual([
      {
        at: "2030-01-15T12:00:00.000Z",
        shield_id: shieldOf(1),
        trace,
        verdict: "vpn",
        shadow: false,
        ip: "203.0.113.7",
        player: "Steve",
        protocol: 767,
        host: "play.example.com",
        facts: { limit: "20/s" },
        attempt: {},
      },
      expect.objectContaining({ verdict: "joined", shield_id: shieldOf(2), facts: {} }),
    ]);
    for (const entry of entries) expect(loginEntry.safeParse(entry).success).toBe(true);
    expect(log.take(all)).toEqual([]);
  });

  test("bears nothing of a client but printable ASCII, and of that no more than the contract", () => {
    const log = createLog();
    log.note(
      login({
        ip: Uint8Array.from({ length: 16 }, (_, n) => n),
        player: "\u202eev\u0000il§4\n<b>Стив</b>0123456789",
        host: `play\r\n${"x".repeat(400)}`,
        protocol: -0x8000_0000,
        facts: {
          [`n${"é".repeat(10)}${"n".repeat(90)}`]: `\u001b[31m${"v".repeat(99)}`,
          ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`fact${n}`, "value"])),
        },
      }),
      {
        trace,
        loggedAttempt: () => ({ vpn: { list: `\u001b${"é".repeat(5)}ho§sting` }, forge: true }),
      },
    );
    const [entry] = log.take(all);
    expect(Object.keys(entry?.facts ?? {})).toHaveLength(15);
    expect(entry?.attempt).toEqual({ vpn: { list: "hosting" }, forge: true });
    expect(loginEntry.safeParse(entry).success).toBe(true);
    expect(entry).toMatchObject({
      player: "evil4<b></b>0123",
      ip: "1:203:405:607:809:a0b:c0d:e0f",
    });
    expect(JSON.stringify(entry)).toMatch(/^[\x20-\x7e]*$/);
  });

  test("under a flood has a sample of a shield's logins, and says how many it left out", () => {
    const log = createLog();
    note(log, 20 + sampleOneIn + 10);
    const entries = log.take(all);
    expect(entries).toHaveLength(21);
    expect(entries.at(-1)?.facts).toEqual({ left_out: String(sampleOneIn - 1) });
    expect(log.leftOut).toBe(sampleOneIn - 1 + 10);
    passSecond();
    note(log, 2);
    expect(log.take(all).map(({ facts }) => facts)).toEqual([{ left_out: "10" }, {}]);
  });

  test("leaves no player out for bots, nor another shield's logins", () => {
    const log = createLog();
    note(log, 5_000);
    log.take(all);
    log.note(login({ verdict: "joined", player: "Alex" }), usual);
    log.note(login({ shieldId: shieldOf(2) }), usual);
    expect(log.take(all)).toMatchObject([{ player: "Alex" }, { shield_id: shieldOf(2) }]);
  });

  test("the log of a shield that is not flooded leaves out no player, however many others are", () => {
    const log = createLog();
    for (let n = 10; n < 30; n++) note(log, 20_000, { shieldId: shieldOf(n) });
    log.take(all);
    note(log, 3);
    expect(log.take(all).map(({ shield_id }) => shield_id)).toEqual([shieldOf(1), shieldOf(1)]);
  });

  test("has a sample where all shields together have too many", () => {
    const log = createLog();
    for (let n = 0; n < 400; n++) note(log, 1, { shieldId: shieldOf(n) });
    const kept = log.take(all).length;
    expect(kept).toBe(300 + Math.floor(100 / sampleOneIn));
    expect(log.leftOut).toBe(400 - kept);
    note(log, 100_000);
    expect(log.size + kept).toBeLessThanOrEqual(400);
    passSecond();
    expect(log.take(1)).toHaveLength(1);
  });

  test("while the control plane is away the log costs bounded memory, the oldest entries are dropped first", () => {
    const log = createLog();
    for (let second = 0; second < 1_100; second++) {
      note(log, 20, { protocol: second });
      passSecond();
    }
    expect(log).toMatchObject({ size: 20_000, dropped: 2_000, leftOut: 0 });
    expect(log.take(1)).toMatchObject([{ protocol: 100 }]);
  });
});

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeBits = 40n;

/** The 40 bits that a code stands for. */
function bitsOf(code: string): bigint {
  return [...code].reduce((bits, letter) => (bits << 5n) | BigInt(alphabet.indexOf(letter)), 0n);
}

/** All that a player knows about connection `n`: its number, and the code of the one before. */
function known(codes: readonly bigint[], n: number): bigint {
  return (BigInt(n) << (codeBits + 1n)) | ((codes[n - 1] ?? 0n) << 1n) | 1n;
}

/**
 * Learns how each bit of a code is a sum (exclusive or) of bits that are known, by elimination: it
 * finds any counter, shift register or other linear generator, whatever its secret start is.
 */
function learnLinear(codes: readonly bigint[], count: number): (facts: bigint) => bigint {
  const steps: { facts: bigint; code: bigint; bit: bigint }[] = [];
  const reduce = (facts: bigint, code: bigint) => {
    for (const step of steps) {
      if ((facts & step.bit) === 0n) continue;
      facts ^= step.facts;
      code ^= step.code;
    }
    return { facts, code };
  };
  for (let n = 1; n < count; n++) {
    const { facts, code } = reduce(known(codes, n), codes[n] ?? 0n);
    if (facts !== 0n) steps.push({ facts, code, bit: facts & -facts });
  }
  return (facts) => reduce(facts, 0n).code;
}

describe("trace codes", () => {
  const codesOf = (seed: string, count: number): string[] => {
    const codes = new TraceCodes(Buffer.from(seed));
    return Array.from({ length: count }, (_, connection) => codes.of(connection));
  };

  test("are 8 letters and digits and do not repeat", () => {
    const codes = new Set(codesOf("8 random", 50_000));
    expect(codes.size).toBe(50_000);
    for (const code of codes) if (!/^[0-9A-HJKMNP-TV-Z]{8}$/.test(code)) expect(code).toBe("valid");
  });

  test("cannot be predicted: another seed gives other codes, though all but one bit are the same", () => {
    const ours = new Set(codesOf("8 random", 5_000));
    expect(codesOf("8 randoo", 5_000).filter((code) => ours.has(code))).toEqual([]);
  });

  test("tell nothing of the number: the next connection changes each character as chance would", () => {
    const codes = codesOf("8 random", 20_001);
    for (let at = 0; at < 8; at++) {
      const same = codes.filter((code, n) => n > 0 && code[at] === codes[n - 1]?.[at]).length;
      // One of 32 by chance: 625, with a standard deviation of 25.
      expect(Math.abs(same - 625)).toBeLessThan(150);
    }
  });

  describe("are not told by those that a player has read", () => {
    // No bit of a number is set for the first time in those that are asked.
    const seen = 1_048;
    const asked = 1_000;

    /** How many of the next codes, and how many times each of their bits, were foretold. */
    function foretold(codes: readonly bigint[]) {
      const foretell = learnLinear(codes, seen);
      const bits = Array.from({ length: Number(codeBits) }, () => 0);
      let whole = 0;
      for (let n = seen; n < seen + asked; n++) {
        const wrong = foretell(known(codes, n)) ^ (codes[n] ?? 0n);
        if (wrong === 0n) whole++;
        for (const bit of bits.keys()) {
          bits[bit] = (bits[bit] ?? 0) + Number(((wrong >> BigInt(bit)) & 1n) === 0n);
        }
      }
      return { whole, bits };
    }

    test.each<[string, (n: number, before: bigint) => bigint]>([
      ["a counter with a secret mask", (n) => BigInt(n) ^ 0x5a_1234_abcdn],
      ["a shift register", (_, before) => (before >> 1n) ^ (before & 1n ? 0xd8_0000_0001n : 0n)],
    ])("the codes of %s would be", (_, next) => {
      const codes = [0x12_3456_789an];
      for (let n = 1; n < seen + asked; n++) codes.push(next(n, codes[n - 1] ?? 0n));
      expect(foretold(codes).whole).toBe(asked);
    });

    test("ours are guessed no better than by tossing a coin for each bit", () => {
      const { whole, bits } = foretold(codesOf("8 random", seen + asked).map(bitsOf));
      expect(whole).toBe(0);
      // Half of 1,000, with a standard deviation of 16.
      for (const right of bits) expect(Math.abs(right - asked / 2)).toBeLessThan(80);
    });
  });
});
