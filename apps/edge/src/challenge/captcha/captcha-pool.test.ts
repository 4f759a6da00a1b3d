import { afterEach, describe, expect, test, vi } from "vitest";
import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import { CaptchaArtist, newCaptcha } from "./captcha-artist.ts";
import { CaptchaPool } from "./captcha-pool.ts";

const pixels = mapSide * mapSide;
const captcha = (code: string, fill: number) => ({
  code,
  colours: new Uint8Array(pixels).fill(fill),
});

describe("the pool", () => {
  test("gives each captcha out once, whichever thread asks", () => {
    const buffer = CaptchaPool.allocate(4);
    const threads = [new CaptchaPool(buffer), new CaptchaPool(buffer), new CaptchaPool(buffer)];
    const [artist, ...takers] = threads;
    const given = ["AAAA", "CCCCC", "EEEE", "HHHHH"];
    for (const [n, code] of given.entries()) expect(artist?.add(captcha(code, n + 1))).toBe(true);
    expect(artist?.add(captcha("KKKK", 9))).toBe(false);
    const taken = given.map((_, n) => takers[n % 2]?.take());
    expect(new Set(taken.map((one) => one?.code))).toEqual(new Set(given));
    for (const one of taken) {
      const fill = given.indexOf(one?.code ?? "") + 1;
      expect(one?.colours.every((colour) => colour === fill)).toBe(true);
    }
    for (const thread of threads) expect(thread.take()).toBeUndefined();
  });

  test("is used again once captchas were taken, and its pictures are copies", () => {
    const pool = new CaptchaPool(CaptchaPool.allocate(1));
    pool.add(captcha("AAAAA", 1));
    const first = pool.take();
    expect(pool.add(captcha("CCCC", 2))).toBe(true);
    expect(first?.colours[0]).toBe(1);
    // Nothing is left of the longer code.
    expect(pool.take()?.code).toBe("CCCC");
  });

  test("wants few captchas until the first is taken, and then as many as it holds", () => {
    const pool = new CaptchaPool(CaptchaPool.allocate(32));
    expect(pool.missing).toBe(8);
    for (let n = 0; n < 8; n++) pool.add(captcha("AAAA", 1));
    expect(pool.missing).toBe(0);
    pool.take();
    expect(pool.missing).toBe(25);
  });
});

describe("the artist", () => {
  afterEach(() => vi.useRealTimers());

  test("draws one picture at a time until none is missing, and begins again when one was taken", () => {
    vi.useFakeTimers();
    const pool = new CaptchaPool(CaptchaPool.allocate(9));
    const artist = new CaptchaArtist(pool);
    artist.tick();
    artist.tick();
    expect(pool.ready).toBe(0);
    vi.advanceTimersToNextTimer();
    expect(pool.ready).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
    vi.runAllTimers();
    expect(pool.ready).toBe(8);
    pool.take();
    artist.tick();
    vi.runAllTimers();
    expect(pool.ready).toBe(9);
    pool.take();
    artist.tick();
    artist.stop();
    vi.runAllTimers();
    expect(pool.ready).toBe(8);
  });

  test("never draws the same captcha twice", () => {
    const [one, other] = [newCaptcha(), newCaptcha()];
    expect(Buffer.from(one.colours).equals(other.colours)).toBe(false);
  });
});
