import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { parseCodes } from "#src/lib/minecraft-codes.ts";
import colours from "./minecraft-colours.module.css";
import classes from "./minecraft-text.module.css";

/** A text as the game draws it, with its formatting codes. */
export function MinecraftText({ text }: { text: string }) {
  return (
    <span className={classes["text"]}>
      {parseCodes(text).map((run) => (
        <span
          key={run.at}
          className={colours["colour"]}
          data-color={run.color ?? undefined}
          data-bold={run.bold || undefined}
          data-italic={run.italic || undefined}
          data-underlined={run.underlined || undefined}
          data-struck={run.strikethrough || undefined}
        >
          {run.obfuscated ? <Obfuscated text={run.text} /> : run.text}
        </span>
      ))}
    </span>
  );
}

const glyphs = "ABCDEFGHJKLMNOPQRSTUVWXYZabcdeghjmnopqrsuvwxyz0123456789#$%&?@";
const changeMs = 80;

/** Characters that keep changing; with reduced motion they change once. */
function Obfuscated({ text }: { text: string }) {
  const isStill = useReducedMotion();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (isStill) return undefined;
    const timer = setInterval(() => setTurn((last) => last + 1), changeMs);
    return () => clearInterval(timer);
  }, [isStill]);
  return Array.from(text, (character, index) => glyph(character, index, turn)).join("");
}

function glyph(character: string, index: number, turn: number): string {
  if (/\s/.test(character)) return character;
  const mixed = Math.imul((turn + 1) * 31 + index, 2_654_435_761) >>> 16;
  return glyphs.charAt(mixed % glyphs.length);
}
