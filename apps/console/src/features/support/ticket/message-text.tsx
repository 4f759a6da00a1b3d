import classes from "./ticket.module.css";
import { splitLinks } from "./split-links.ts";

/** A message with its lines as they were written; its web addresses are links. */
export function MessageText({ text }: { text: string }) {
  return (
    <p className={classes["text"]}>
      {splitLinks(text).map(({ text: part, isLink }, index) =>
        isLink ? (
          <a key={index} href={part} target="_blank" rel="noreferrer nofollow">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
