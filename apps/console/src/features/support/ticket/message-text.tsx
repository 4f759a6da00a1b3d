import classes from "./ticket.module.css";
import { splitLinks } from "./split-links.ts";

/** A message with its lines as they were written; its web addresses are links. */
export function MessageText({ text }: { text: string }) {
  return (
    <p className={classes["text"]}>
      {splitLinks(text).map(({ text: part, isLink }, index) =>
        isLink ? (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text do not move
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
