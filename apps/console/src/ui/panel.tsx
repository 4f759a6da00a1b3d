import { useId, type ReactNode } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  readonly title?: ReactNode;
  readonly note?: ReactNode;
  /** Content to the right of the title. */
  readonly aside?: ReactNode;
  /** Uses the large heading of forms and lists instead of a graph's small label. */
  readonly prominent?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Panel({ title, note, aside, prominent, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      className={[classes["panel"], className].join(" ")}
      {...(title === undefined ? {} : { "aria-labelledby": id })}
    >
      {title === undefined ? null : (
        <header className={classes["head"]}>
          <div className={classes["words"]} data-note={note !== undefined}>
            <h2 id={id} className={prominent ? classes["prominent"] : classes["title"]}>
              {title}
            </h2>
            {note === undefined ? null : <p className={classes["note"]}>{note}</p>}
          </div>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
