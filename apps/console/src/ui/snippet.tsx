import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { ScrollRegion } from "./scroll-region.tsx";
import classes from "./snippet.module.css";

interface SnippetProps {
  /** The file that it belongs in. */
  readonly file: string;
  readonly text: string;
  readonly title: ReactNode;
  /** Beside the button that copies it. */
  readonly tools?: ReactNode;
}

/** A part of a file to copy. Long ones scroll in their own frame. */
export function Snippet({ file, text, title, tools }: SnippetProps) {
  const { t } = useLingui();
  return (
    <figure className={classes["snippet"]}>
      <figcaption>
        {title}
        <span className={classes["tools"]}>
          <CopyButton value={text} label={t`Copy ${file}`} />
          {tools}
        </span>
      </figcaption>
      <ScrollRegion label={file} className={classes["text"]}>
        <pre className="mono">{text}</pre>
      </ScrollRegion>
    </figure>
  );
}
