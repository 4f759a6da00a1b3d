import Bowser from "bowser";
import type { Locale } from "@palisade/contract/texts/render";
import { renderText } from "@palisade/contract/texts/render";

/** A user agent in words: `Firefox on Linux`, `curl`. Callers can claim any user agent. */
export function deviceName(userAgent: string, locale: Locale): string {
  if (userAgent.trim() === "") return renderText(locale, "session.unknown");
  const { browser, os } = Bowser.parse(userAgent);
  const program = browser.name || firstProduct(userAgent);
  if (program === undefined) return renderText(locale, "session.unknown");
  if (!os.name) return program;
  return renderText(locale, "session.device", { browser: program, system: os.name });
}

/** `curl` of `curl/8.5.0`: programs name themselves first. */
function firstProduct(userAgent: string): string | undefined {
  return /^[A-Za-z][\w.-]{0,30}(?=\/|$)/.exec(userAgent)?.[0];
}
