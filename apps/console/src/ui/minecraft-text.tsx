import { parseCodes } from "#src/lib/minecraft-codes.ts";
import classes from "./minecraft-text.module.css";

/** A text as the game draws it, with its formatting codes. */
export function MinecraftText({ text }: { text: string }) {
  return (
    <span className={classes["text"]}>
      {parseCodes(text).map((run) => (
        <span
          key={run.at}
          data-color={run.color ?? undefined}
          data-bold={run.bold || undefined}
          data-italic={run.italic || undefined}
          data-underlined={run.underlined || undefined}
          data-struck={run.struck || undefined}
          data-obfuscated={run.obfuscated || undefined}
        >
          {run.text}
        </span>
      ))}
    </span>
  );
}
