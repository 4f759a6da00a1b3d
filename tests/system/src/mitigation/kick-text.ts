import {
  effectiveServerMessages,
  noServerMessages,
  withTrace,
} from "@palisade/contract/http/server-messages";
import { drawnComponent, drawnText } from "../minecraft/drawn-text.ts";

/** The product's own texts, which players read where the owner has written none, by message name. */
export const standardTexts: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(effectiveServerMessages(noServerMessages)),
);

export interface KickValues {
  readonly player: string;
  readonly trace: string;
  /** Undefined where the text does not contain it. */
  readonly seconds: string | undefined;
}

const patterns = new Map([
  ["player", "(?<player>\\w+)"],
  ["trace", "(?<trace>[0-9A-HJKMNP-TV-Z]{8})"],
  ["seconds", "(?<seconds>\\d+)"],
]);

/**
 * Reads the values out of a kick, and makes sure that the game draws exactly this text with them.
 *
 * @param text as its owner wrote it, or the product's own
 * @throws where it is another text
 */
export function readKick(component: unknown, text: string): KickValues {
  const whole = withTrace(text.replace(/&([0-9a-fk-or])/g, "§$1"));
  const drawn = drawnComponent(component);
  const words = drawn.map((run) => run.text).join("");
  const values = new RegExp(`^${patternOf(whole)}$`).exec(words)?.groups;
  const filled = whole.replace(/\{(\w+)\}/g, (_, name: string) => values?.[name] ?? "?");
  const expected = drawnText(filled);
  if (values === undefined || JSON.stringify(drawn) !== JSON.stringify(expected)) {
    throw new Error(`Read ${JSON.stringify(drawn)}, expected ${JSON.stringify(expected)}`);
  }
  const { player = "", trace = "", seconds } = values;
  return { player, trace, seconds };
}

function patternOf(text: string): string {
  const pieces = text.replace(/§./g, "").split(/\{(\w+)\}/);
  return pieces
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : (patterns.get(piece) ?? ".*")))
    .join("");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
