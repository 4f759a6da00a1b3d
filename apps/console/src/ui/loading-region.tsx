import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";

/** Skeletons where content will be; a screen reader hears 'Loading' instead of nothing. */
export function LoadingRegion(props: { className?: string | undefined; children: ReactNode }) {
  return (
    <div className={props.className} aria-busy="true">
      <output className="visually-hidden">
        <Trans>Loading</Trans>
      </output>
      {props.children}
    </div>
  );
}
