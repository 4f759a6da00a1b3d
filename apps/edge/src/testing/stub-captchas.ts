import { mapSide } from "@palisade/minecraft-protocol/java/limbo/map";
import type { CaptchaSource } from "#src/challenge/captcha/captcha-pool.ts";

/** The code of every captcha that `stubCaptchas` gives out. */
export const stubCode = "ACK39";

/** Captchas that are always ready, with an empty picture. */
export const stubCaptchas: CaptchaSource = {
  take: () => ({ code: stubCode, colours: new Uint8Array(mapSide * mapSide) }),
};
